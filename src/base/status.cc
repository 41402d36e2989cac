#include "arenalite/status.h"

#include <cmath>
#include <cstring>

namespace arenalite {

// A code with its NUL-terminated message behind it in one heap block.
struct Status::Rep {
  StatusCode code;

  char* text() { return reinterpret_cast<char*>(this + 1); }
};

namespace {

// Marks errors whose message could not be allocated: the pointer itself is
// the code, tagged by its lowest bit.
constexpr uintptr_t kCodeOnlyTag = 1;

bool IsCodeOnly(const void* rep) {
  return (reinterpret_cast<uintptr_t>(rep) & kCodeOnlyTag) != 0;
}

void* CodeOnly(StatusCode code) {
  return reinterpret_cast<void*>((static_cast<uintptr_t>(code) << 1) |
                                 kCodeOnlyTag);
}

struct CodeNameRow {
  StatusCode code;
  const char* name;
};

constexpr CodeNameRow kCodeNames[] = {
    {StatusCode::kOk, "Ok"},
    {StatusCode::kInvalidArgument, "InvalidArgument"},
    {StatusCode::kInvalidModel, "InvalidModel"},
    {StatusCode::kNotFound, "NotFound"},
    {StatusCode::kUnimplemented, "Unimplemented"},
    {StatusCode::kResourceExhausted, "ResourceExhausted"},
    {StatusCode::kFailedPrecondition, "FailedPrecondition"},
    {StatusCode::kOutOfRange, "OutOfRange"},
    {StatusCode::kCancelled, "Cancelled"},
    {StatusCode::kIo, "Io"},
    {StatusCode::kInternal, "Internal"},
};

// Writes `value` in decimal so that it ends before `end`; returns its start.
char* WriteDecimal(uint64_t value, char* end) {
  do {
    *--end = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return end;
}

// Appends `text`, returns the new end.
char* AppendText(std::string_view text, char* out) {
  if (text.empty()) return out;  // Its data may be null.
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

}  // namespace

const char* StatusCodeName(StatusCode code) {
  for (const CodeNameRow& row : kCodeNames) {
    if (row.code == code) return row.name;
  }
  return "Unknown";
}

TextPiece::TextPiece(double value) {
  char* out = buffer_;
  if (std::isnan(value)) {
    view_ = "nan";
    return;
  }
  if (std::signbit(value)) *out++ = '-';
  value = std::fabs(value);
  if (std::isinf(value)) {
    out = AppendText("inf", out);
  } else if (value == 0) {
    *out++ = '0';
  } else {
    // Six significant digits as d.ddddde±x, or plain where that is short.
    int exponent = static_cast<int>(std::floor(std::log10(value)));
    double mantissa = value / std::pow(10.0, exponent);
    auto digits = static_cast<uint64_t>(std::llround(mantissa * 1e5));
    if (digits >= 1000000) {
      digits /= 10;
      ++exponent;
    }
    char text[20];
    const char* first = WriteDecimal(digits, text + sizeof(text));
    int count = 6;
    while (count > 1 && first[count - 1] == '0') --count;
    const bool plain = exponent >= -5 && exponent < 9;
    const int point = plain ? exponent : 0;
    if (point < 0) {
      out = AppendText("0.", out);
      for (int i = point + 1; i < 0; ++i) *out++ = '0';
    }
    for (int i = 0; i < count || i <= point; ++i) {
      if (i > 0 && i == point + 1) *out++ = '.';
      *out++ = i < count ? first[i] : '0';
    }
    if (!plain) {
      out = AppendText(exponent < 0 ? "e-" : "e+", out);
      const uint64_t magnitude = static_cast<uint64_t>(std::abs(exponent));
      const char* start = WriteDecimal(magnitude, text + sizeof(text));
      out = AppendText(
          std::string_view(start,
                           static_cast<size_t>(text + sizeof(text) - start)),
          out);
    }
  }
  view_ = std::string_view(buffer_, static_cast<size_t>(out - buffer_));
}

TextPiece::TextPiece(Span<const int32_t> dims) {
  char* out = buffer_;
  *out++ = '[';
  // 8 dimensions of at most 11 characters and a comma fit; more are cut.
  for (size_t i = 0; i < dims.size() && i < 8; ++i) {
    TextPiece number(dims[i]);
    if (i > 0) *out++ = ',';
    out = AppendText(number.view(), out);
  }
  if (dims.size() > 8) out = AppendText(",...", out);
  *out++ = ']';
  view_ = std::string_view(buffer_, static_cast<size_t>(out - buffer_));
}

void TextPiece::SetSigned(int64_t value) {
  const bool negative = value < 0;
  const uint64_t bits = static_cast<uint64_t>(value);
  SetUnsigned(negative ? 0 - bits : bits, negative);
}

void TextPiece::SetUnsigned(uint64_t value, bool negative) {
  char* end = buffer_ + sizeof(buffer_);
  char* start = WriteDecimal(value, end);
  if (negative) *--start = '-';
  view_ = std::string_view(start, static_cast<size_t>(end - start));
}

Status& Status::operator=(Status&& other) noexcept {
  std::swap(rep_, other.rep_);
  return *this;
}

Status::~Status() {
  if (!IsCodeOnly(rep_)) ::operator delete(rep_);
}

Status Status::Error(StatusCode code,
                     std::initializer_list<std::string_view> parts) {
  size_t length = 0;
  for (std::string_view part : parts) length += part.size();
  void* memory = ::operator new(sizeof(Rep) + length + 1, std::nothrow);
  if (memory == nullptr) return Status(static_cast<Rep*>(CodeOnly(code)));
  Rep* rep = new (memory) Rep{code};
  char* out = rep->text();
  for (std::string_view part : parts) out = AppendText(part, out);
  *out = '\0';
  return Status(rep);
}

StatusCode Status::code() const {
  if (rep_ == nullptr) return StatusCode::kOk;
  if (IsCodeOnly(rep_)) {
    return static_cast<StatusCode>(reinterpret_cast<uintptr_t>(rep_) >> 1);
  }
  return rep_->code;
}

const char* Status::message() const {
  if (rep_ == nullptr) return "";
  if (IsCodeOnly(rep_)) return "out of memory (even for this message)";
  return rep_->text();
}

Status Status::Clone() const {
  if (ok()) return Status();
  return Error(code(), {message()});
}

Status Status::WithPrefix(std::initializer_list<std::string_view> prefix) && {
  if (ok()) return Status();
  size_t length = std::strlen(message());
  for (std::string_view part : prefix) length += part.size();
  void* memory = ::operator new(sizeof(Rep) + length + 1, std::nothrow);
  if (memory == nullptr) return std::move(*this);
  Rep* rep = new (memory) Rep{code()};
  char* out = rep->text();
  for (std::string_view part : prefix) out = AppendText(part, out);
  out = AppendText(message(), out);
  *out = '\0';
  return Status(rep);
}

}  // namespace arenalite
