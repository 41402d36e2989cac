// STABLEHLO_PAD: a value around and between elements; negative edges crop.

#include "arenalite/builtin_ops.h"
#include "kernels/long_list.h"
#include "kernels/options.h"
#include "kernels/pad_op.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kValue = 1;

struct PadOptions {
  LongList<> low;
  LongList<> high;
  LongList<> interior;
};

Status ParsePad(const OpSource& source, void* options) {
  auto* parsed = static_cast<PadOptions*>(options);
  const auto* table = OptionsTable2<schema::StablehloPadOptions>(source);
  if (table == nullptr) return OkStatus();
  ARENALITE_RETURN_IF_ERROR(
      parsed->low.Parse("edge_padding_low", table->edge_padding_low()));
  ARENALITE_RETURN_IF_ERROR(
      parsed->high.Parse("edge_padding_high", table->edge_padding_high()));
  return parsed->interior.Parse("interior_padding", table->interior_padding());
}

Result<PadSpec> ReadOptions(const OpContext& context) {
  const auto& options = context.options<PadOptions>();
  PadSpec spec = {};
  spec.empties_all = true;  // As the reference does.
  for (int i = 0; i < options.low.size; ++i) {
    spec.axes[i] = {options.low[i], options.interior[i], options.high[i]};
  }
  return spec;
}

Status PrepareStablehloPad(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const auto& options = context.options<PadOptions>();
  const int rank = context.input(0).shape.rank();
  ARENALITE_RETURN_IF_ERROR(options.low.CheckSize("edge_padding_low", rank));
  ARENALITE_RETURN_IF_ERROR(options.high.CheckSize("edge_padding_high", rank));
  ARENALITE_RETURN_IF_ERROR(
      options.interior.CheckSize("interior_padding", rank));
  return PreparePad(context, kValue, true, ReadOptions);
}

}  // namespace

namespace ops {

const OpDefinition kStablehloPad = {
    "STABLEHLO_PAD",
    schema::BuiltinOperator_STABLEHLO_PAD,
    1,
    kOpDefault,
    sizeof(PadOptions),
    ParsePad,
    PrepareStablehloPad,
    nullptr,
    PadOverlap,
};

}  // namespace ops
}  // namespace arenalite
