#include "arenalite/plan_csv.h"

#include <algorithm>

#include "base/checked_math.h"
#include "plan/validate.h"

namespace arenalite {
namespace {

enum Column { kId, kLower, kUpper, kSize, kAlignment, kOffset, kColumnCount };
constexpr std::string_view kNames[kColumnCount] = {
    "id", "lower", "upper", "size", "alignment", "offset"};

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return std::string_view(text.data() + begin,
                          text.find_last_not_of(kBlank) - begin + 1);
}

// Cuts the part before the first `separator` off `*text`.
std::string_view TakeUntil(char separator, std::string_view* text) {
  const size_t end = std::min(text->find(separator), text->size());
  const std::string_view part(text->data(), end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return part;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<PlanCsv> Parse() {
    while (!text_.empty()) {
      ++line_;
      const std::string_view line = Trim(TakeUntil('\n', &text_));
      if (line.empty()) continue;
      ARENALITE_RETURN_IF_ERROR(column_count_ == 0 ? ParseHeader(line)
                                                   : ParseBuffer(line));
    }
    if (column_count_ == 0) {
      return InvalidArgumentError("line 1: there is no header line");
    }
    ARENALITE_RETURN_IF_ERROR(CheckIds());
    ARENALITE_RETURN_IF_ERROR(CheckFixedOffsets());
    return std::move(csv_);
  }

 private:
  static constexpr int kMaxColumns = kColumnCount;

  template <class... Parts>
  Status ErrorAt(int column, const Parts&... parts) const {
    return InvalidArgumentError("line ", line_, ", column ",
                                position_[column] + 1, " (", kNames[column],
                                "): ", parts...);
  }

  Status ParseHeader(std::string_view line) {
    std::fill(std::begin(position_), std::end(position_), -1);
    for (bool more = true; more; ++column_count_) {
      more = line.find(',') != std::string_view::npos;
      const std::string_view name = Trim(TakeUntil(',', &line));
      const auto* known = std::find(std::begin(kNames), std::end(kNames), name);
      if (known == std::end(kNames)) {
        return InvalidArgumentError(
            "line ", line_, ", column ", column_count_ + 1,
            ": unknown column '", name,
            "', allowed are id, lower, upper, size, alignment and offset");
      }
      int& position = position_[known - std::begin(kNames)];
      if (position >= 0) {
        return InvalidArgumentError("line ", line_, ", column ",
                                    column_count_ + 1, ": a second column '",
                                    name, "'");
      }
      position = column_count_;
    }
    for (int column : {kId, kLower, kUpper, kSize}) {
      if (position_[column] < 0) {
        return InvalidArgumentError("line ", line_, ": the column '",
                                    kNames[column], "' is missing");
      }
    }
    return OkStatus();
  }

  Status ParseBuffer(std::string_view line) {
    std::string_view cells[kMaxColumns];
    int count = 0;
    for (bool more = true; more; ++count) {
      more = line.find(',') != std::string_view::npos;
      const std::string_view cell = Trim(TakeUntil(',', &line));
      if (count < column_count_) cells[count] = cell;
    }
    if (count != column_count_) {
      return InvalidArgumentError("line ", line_, ": ", count,
                                  " cells, the header has ", column_count_);
    }
    BufferRequest request;
    ARENALITE_RETURN_IF_ERROR(ParseSteps(cells, &request));
    ARENALITE_RETURN_IF_ERROR(ParseSize(cells, &request));
    ARENALITE_RETURN_IF_ERROR(ParsePlace(cells, &request));
    ARENALITE_RETURN_IF_ERROR(csv_.ids.Append(cells[position_[kId]]));
    ARENALITE_RETURN_IF_ERROR(lines_.Append(line_));
    return csv_.requests.Append(request);
  }

  Status ParseSteps(const std::string_view* cells, BufferRequest* request) {
    constexpr int64_t kMost = INT32_MAX;
    ARENALITE_ASSIGN_OR_RETURN(const int64_t lower,
                               ParseNumber(cells, kLower, -kMost, kMost));
    ARENALITE_ASSIGN_OR_RETURN(const int64_t upper,
                               ParseNumber(cells, kUpper, -kMost, kMost));
    if (upper <= lower) {
      return ErrorAt(kUpper, upper, " is not above the lower step, ", lower);
    }
    request->first_step = static_cast<int32_t>(lower);
    request->last_step = static_cast<int32_t>(upper - 1);
    return OkStatus();
  }

  Status ParseSize(const std::string_view* cells, BufferRequest* request) {
    ARENALITE_ASSIGN_OR_RETURN(request->size,
                               ParseNumber(cells, kSize, 0, INT64_MAX));
    if (!CheckedAdd(sum_, request->size, &sum_) || sum_ > kMaxPlanBytes) {
      return ErrorAt(kSize, "with ", request->size,
                     " the sum of all sizes overflows (at most ", kMaxPlanBytes,
                     ")");
    }
    return OkStatus();
  }

  Status ParsePlace(const std::string_view* cells, BufferRequest* request) {
    const auto has = [&](Column column) {
      return position_[column] >= 0 && !cells[position_[column]].empty();
    };
    if (has(kAlignment)) {
      ARENALITE_ASSIGN_OR_RETURN(const int64_t alignment,
                                 ParseNumber(cells, kAlignment, 1, INT32_MAX));
      if (!IsPowerOfTwo(alignment)) {
        return ErrorAt(kAlignment, alignment, " is no power of two");
      }
      request->alignment = static_cast<int32_t>(alignment);
    }
    if (has(kOffset)) {
      ARENALITE_ASSIGN_OR_RETURN(request->fixed_offset,
                                 ParseNumber(cells, kOffset, 0, kMaxPlanBytes));
      if (request->fixed_offset % request->alignment != 0) {
        return ErrorAt(kOffset, request->fixed_offset,
                       " is no multiple of the alignment, ",
                       request->alignment);
      }
    }
    return OkStatus();
  }

  Result<int64_t> ParseNumber(const std::string_view* cells, Column column,
                              int64_t least, int64_t most) const {
    const std::string_view cell = cells[position_[column]];
    const bool negative = !cell.empty() && cell[0] == '-';
    std::string_view digits = cell;
    digits.remove_prefix(negative ? 1 : 0);
    int64_t value = 0;
    bool fits = true;
    for (char c : digits) {
      if (c < '0' || c > '9') {
        return ErrorAt(column, "'", cell, "' is no whole number");
      }
      const int digit = negative ? '0' - c : c - '0';
      fits = fits && CheckedMul(value, 10, &value) &&
             CheckedAdd(value, digit, &value);
    }
    if (digits.empty()) {
      return ErrorAt(column, "'", cell, "' is no whole number");
    }
    if (!fits || value < least || value > most) {
      return ErrorAt(column, cell, " is outside of [", least, ", ", most, "]");
    }
    return value;
  }

  Status CheckIds() {
    Array<size_t> order;
    ARENALITE_RETURN_IF_ERROR(order.Resize(csv_.ids.size()));
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto& ids = csv_.ids;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
    });
    for (size_t k = 1; k < order.size(); ++k) {
      if (ids[order[k]] != ids[order[k - 1]]) continue;
      line_ = lines_[order[k]];
      return ErrorAt(kId, "'", ids[order[k]], "' is the id of line ",
                     lines_[order[k - 1]], ", too");
    }
    return OkStatus();
  }

  // Sweeps over time with the fixed buffers that are live.
  Status CheckFixedOffsets() {
    const auto& requests = csv_.requests;
    Array<size_t> order, live;
    for (size_t i = 0; i < requests.size(); ++i) {
      if (requests[i].fixed_offset < 0 || requests[i].size == 0) continue;
      ARENALITE_RETURN_IF_ERROR(order.Append(i));
    }
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const int32_t first_a = requests[a].first_step;
      const int32_t first_b = requests[b].first_step;
      return first_a != first_b ? first_a < first_b : a < b;
    });
    for (size_t i : order) {
      const BufferRequest& a = requests[i];
      size_t kept = 0;
      for (size_t j : live) {
        const BufferRequest& b = requests[j];
        if (b.last_step < a.first_step) continue;
        live[kept++] = j;
        if (a.fixed_offset >= b.fixed_offset + b.size ||
            b.fixed_offset >= a.fixed_offset + a.size) {
          continue;
        }
        line_ = lines_[std::max(i, j)];
        return ErrorAt(kOffset, "shares bytes with line ",
                       lines_[std::min(i, j)], " while both are live");
      }
      ARENALITE_RETURN_IF_ERROR(live.Resize(kept));
      ARENALITE_RETURN_IF_ERROR(live.Append(i));
    }
    return OkStatus();
  }

  std::string_view text_;
  int64_t line_ = 0;
  int column_count_ = 0;
  int position_[kColumnCount] = {};
  int64_t sum_ = 0;
  Array<int64_t> lines_;  // Of each request.
  PlanCsv csv_;
};

Status Append(std::string_view text, Array<char>* out) {
  for (char c : text) ARENALITE_RETURN_IF_ERROR(out->Append(c));
  return OkStatus();
}

Status AppendNumber(int64_t value, Array<char>* out) {
  ARENALITE_RETURN_IF_ERROR(out->Append(','));
  return Append(TextPiece(value).view(), out);
}

}  // namespace

Result<PlanCsv> ParsePlanCsv(std::string_view text) {
  return Parser(text).Parse();
}

Result<Array<char>> WritePlanCsv(Span<const std::string_view> ids,
                                 Span<const BufferRequest> requests,
                                 Span<const int64_t> offsets) {
  if (ids.size() != requests.size() || offsets.size() != requests.size()) {
    return InvalidArgumentError(ids.size(), " ids and ", offsets.size(),
                                " offsets for ", requests.size(), " requests");
  }
  bool aligned = false;
  for (const BufferRequest& request : requests) {
    aligned = aligned || request.alignment != 1;
  }
  Array<char> out;
  ARENALITE_RETURN_IF_ERROR(Append("id,lower,upper,size", &out));
  ARENALITE_RETURN_IF_ERROR(
      Append(aligned ? ",alignment,offset\n" : ",offset\n", &out));
  for (size_t i = 0; i < requests.size(); ++i) {
    const BufferRequest& request = requests[i];
    ARENALITE_RETURN_IF_ERROR(Append(ids[i], &out));
    ARENALITE_RETURN_IF_ERROR(AppendNumber(request.first_step, &out));
    ARENALITE_RETURN_IF_ERROR(
        AppendNumber(int64_t{request.last_step} + 1, &out));
    ARENALITE_RETURN_IF_ERROR(AppendNumber(request.size, &out));
    if (aligned)
      ARENALITE_RETURN_IF_ERROR(AppendNumber(request.alignment, &out));
    ARENALITE_RETURN_IF_ERROR(AppendNumber(offsets[i], &out));
    ARENALITE_RETURN_IF_ERROR(out.Append('\n'));
  }
  return out;
}

}  // namespace arenalite
