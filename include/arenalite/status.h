// Status and Result: how every fallible call of arenalite reports failure.
//
// A fault of a file or of a caller is a Status, never an abort. Building an
// error message allocates without throwing; when even that fails, the code
// survives and the message says that memory ran out.

#ifndef ARENALITE_STATUS_H_
#define ARENALITE_STATUS_H_

#include <cstdint>
#include <initializer_list>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "arenalite/span.h"

namespace arenalite {

enum class StatusCode : int32_t {
  kOk = 0,
  kInvalidArgument,     // The caller asked for something meaningless.
  kInvalidModel,        // The file breaks the format or contradicts itself.
  kNotFound,            // No such file, tensor, signature or op.
  kUnimplemented,       // A valid op, type or form that has no kernel here.
  kResourceExhausted,   // Memory: a buffer too small, an allocation refused.
  kFailedPrecondition,  // Calls in the wrong order.
  kOutOfRange,          // Data of the model points outside of its tensors.
  kCancelled,           // The caller's cancellation function said so.
  kIo,                  // The operating system refused to read or write.
  kInternal,            // A broken invariant of arenalite: please report it.
};

// The name of a code without its k: "InvalidModel". Static storage.
const char* StatusCodeName(StatusCode code);

// One part of a message: text, a number, or dimensions printed as [1,2,3].
// Lives only inside the full expression that builds a message.
class TextPiece {
 public:
  TextPiece(std::string_view text) : view_(text) {}
  TextPiece(const char* text) : view_(text ? text : "(null)") {}
  TextPiece(bool value) : view_(value ? "true" : "false") {}
  TextPiece(double value);  // At most six significant digits.
  TextPiece(float value) : TextPiece(static_cast<double>(value)) {}
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  TextPiece(I value) {
    if constexpr (std::is_signed_v<I>) {
      SetSigned(value);
    } else {
      SetUnsigned(value, false);
    }
  }
  TextPiece(Span<const int32_t> dims);  // "[1,224,224,3]"
  TextPiece(const TextPiece&) = delete;
  TextPiece& operator=(const TextPiece&) = delete;

  std::string_view view() const { return view_; }

 private:
  void SetSigned(int64_t value);
  void SetUnsigned(uint64_t value, bool negative);

  char buffer_[112];
  std::string_view view_;
};

// Success, or a code with a message. One pointer wide; success allocates
// nothing. Move-only; Clone() copies.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Status&& other) noexcept : rep_(std::exchange(other.rep_, nullptr)) {}
  Status& operator=(Status&& other) noexcept;
  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;
  ~Status();

  // An error whose message is the concatenation of `parts`. `code` != kOk.
  static Status Error(StatusCode code,
                      std::initializer_list<std::string_view> parts);

  bool ok() const { return rep_ == nullptr; }
  StatusCode code() const;
  // Never null; "" on success. Valid while this Status lives.
  const char* message() const;

  Status Clone() const;
  // The same code with `prefix` put before the message; success stays success.
  Status WithPrefix(std::initializer_list<std::string_view> prefix) &&;

 private:
  struct Rep;
  explicit Status(Rep* rep) : rep_(rep) {}
  Rep* rep_ = nullptr;
};

inline Status OkStatus() { return Status(); }

// InvalidModelError("tensor ", index, " has rank ", rank, ", allowed 0..8").
#define ARENALITE_DEFINE_ERROR_(name)                                        \
  template <class... Parts>                                                  \
  Status name##Error(const Parts&... parts) {                                \
    return Status::Error(StatusCode::k##name, {TextPiece(parts).view()...}); \
  }
ARENALITE_DEFINE_ERROR_(InvalidArgument)
ARENALITE_DEFINE_ERROR_(InvalidModel)
ARENALITE_DEFINE_ERROR_(NotFound)
ARENALITE_DEFINE_ERROR_(Unimplemented)
ARENALITE_DEFINE_ERROR_(ResourceExhausted)
ARENALITE_DEFINE_ERROR_(FailedPrecondition)
ARENALITE_DEFINE_ERROR_(OutOfRange)
ARENALITE_DEFINE_ERROR_(Cancelled)
ARENALITE_DEFINE_ERROR_(Io)
ARENALITE_DEFINE_ERROR_(Internal)
#undef ARENALITE_DEFINE_ERROR_

// A value, or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : has_value_(true) { new (&value_) T(std::move(value)); }
  // `status` must be an error.
  Result(Status status) : has_value_(false) {
    new (&status_) Status(status.ok() ? InternalError("error without a cause")
                                      : std::move(status));
  }
  Result(Result&& other) noexcept : has_value_(other.has_value_) {
    if (has_value_) {
      new (&value_) T(std::move(other.value_));
    } else {
      new (&status_) Status(std::move(other.status_));
    }
  }
  Result& operator=(Result&& other) noexcept {
    if (this != &other) {
      this->~Result();
      new (this) Result(std::move(other));
    }
    return *this;
  }
  ~Result() {
    if (has_value_) {
      value_.~T();
    } else {
      status_.~Status();
    }
  }

  bool ok() const { return has_value_; }
  // The error, moved out; success when there is a value.
  Status status() && { return has_value_ ? Status() : std::move(status_); }
  StatusCode code() const {
    return has_value_ ? StatusCode::kOk : status_.code();
  }
  const char* message() const { return has_value_ ? "" : status_.message(); }

  // Only when ok().
  T& value() & { return value_; }
  const T& value() const& { return value_; }
  T&& value() && { return std::move(value_); }
  T& operator*() & { return value_; }
  const T& operator*() const& { return value_; }
  T&& operator*() && { return std::move(value_); }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

 private:
  bool has_value_;
  union {
    T value_;
    Status status_;
  };
};

// Passes an error on to the caller of the current function.
#define ARENALITE_RETURN_IF_ERROR(expression)              \
  do {                                                     \
    ::arenalite::Status arenalite_status_ = (expression);  \
    if (!arenalite_status_.ok()) return arenalite_status_; \
  } while (false)

// Evaluates a Result; binds its value to `declaration` or passes its error on.
#define ARENALITE_ASSIGN_OR_RETURN(declaration, expression)              \
  ARENALITE_ASSIGN_OR_RETURN_IMPL_(ARENALITE_CONCAT_(result_, __LINE__), \
                                   declaration, expression)
#define ARENALITE_ASSIGN_OR_RETURN_IMPL_(result, declaration, expression) \
  auto result = (expression);                                             \
  if (!result.ok()) return std::move(result).status();                    \
  declaration = std::move(result).value()
#define ARENALITE_CONCAT_(a, b) ARENALITE_CONCAT_IMPL_(a, b)
#define ARENALITE_CONCAT_IMPL_(a, b) a##b

}  // namespace arenalite

#endif  // ARENALITE_STATUS_H_
