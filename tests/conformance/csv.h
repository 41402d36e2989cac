// Reads comma-separated files with a header line and quoted fields.

#ifndef ARENALITE_TESTS_CONFORMANCE_CSV_H_
#define ARENALITE_TESTS_CONFORMANCE_CSV_H_

#include <map>
#include <string>
#include <vector>

namespace arenalite {
namespace conformance {

// One line: column name -> value. A missing value is "".
using CsvRow = std::map<std::string, std::string>;

// False when the file cannot be read.
bool ReadCsv(const std::string& path, std::vector<CsvRow>* rows);

}  // namespace conformance
}  // namespace arenalite

#endif  // ARENALITE_TESTS_CONFORMANCE_CSV_H_
