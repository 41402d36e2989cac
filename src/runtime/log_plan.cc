#include "runtime/log_plan.h"

#include "arenalite/logging.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

template <class... Parts>
void Info(const Parts&... parts) {
  Log(LogSeverity::kInfo, {TextPiece(parts).view()...});
}

// " of subgraph 1"; nothing for the main one.
struct Where {
  std::string_view of;
  std::string_view subgraph;
};

void LogTensor(size_t index, const Tensor& tensor, const Where& where,
               int64_t offset, const BufferRequest& request) {
  Info("tensor ", index, " '", tensor.name, "'", where.of, where.subgraph,
       ": offset=", offset, " size=", tensor.bytes,
       " first_step=", request.first_step, " last_step=", request.last_step);
}

void LogVariable(size_t index, const Tensor& tensor, const Where& where,
                 const VariableSlot& slot) {
  Info("tensor ", index, " '", tensor.name, "'", where.of, where.subgraph,
       ": persistent offset=", slot.offset, " size=", tensor.bytes);
}

void LogFrame(const Frame& frame, size_t number, const ProgramPlan& plan,
              const Array<VariableSlot>& variables) {
  const TextPiece subgraph(frame.subgraph);
  const Where where =
      frame.subgraph == 0 ? Where() : Where{" of subgraph ", subgraph.view()};
  for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
    const int32_t storage = plan.lifetimes.storage_of[number];
    if (storage >= 0) {
      LogTensor(i, frame.tensors[i], where, plan.plan.offsets[Index(storage)],
                plan.lifetimes.requests[Index(storage)]);
    } else if (variables[number].offset >= 0) {
      LogVariable(i, frame.tensors[i], where, variables[number]);
    }
  }
}

}  // namespace

void LogPlan(const Program& program, const ProgramPlan& plan,
             const Array<VariableSlot>& variables, int64_t planned_bytes,
             int64_t persistent_bytes) {
  if (!HasLogSink()) return;
  Info("arena: total=", planned_bytes + persistent_bytes,
       " planned=", planned_bytes, " persistent=", persistent_bytes,
       " steps=", program.steps.size());
  for (size_t i = 0; i < program.frames.size(); ++i) {
    LogFrame(program.frames[i], Index(plan.first_tensor[i]), plan, variables);
  }
}

}  // namespace arenalite
