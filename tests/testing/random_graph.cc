#include "testing/random_graph.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "writer/layers.h"

namespace arenalite {
namespace testing {
namespace {

using Dims = std::vector<int32_t>;

constexpr int kNone = -1;  // An op did not fit the tensors there are.
constexpr size_t kMaxGraphRank = 5;
constexpr schema::ActivationFunctionType kActivations[] = {
    schema::ActivationFunctionType_NONE, schema::ActivationFunctionType_RELU,
    schema::ActivationFunctionType_RELU6,
    schema::ActivationFunctionType_RELU_N1_TO_1};

int64_t Elements(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

class Maker {
 public:
  Maker(uint64_t seed, const RandomGraphOptions& options)
      : prng_(seed),
        options_(options),
        net_(model_, LayerOptions(prng_, options)) {}

  ModelBuilder Make() {
    const int inputs = prng_.Between(1, 3);
    for (int i = 0; i < inputs; ++i) AddInput(i);
    const auto ops =
        static_cast<size_t>(prng_.Between(options_.min_ops, options_.max_ops));
    while (model_.subgraph().ops.size() < ops) AddOp();
    ChooseOutputs();
    if (prng_.OneIn(8)) ShuffleOps();
    return std::move(model_);
  }

 private:
  using Action = int (Maker::*)(int x);

  static LayerBuilder::Options LayerOptions(Prng& prng,
                                            const RandomGraphOptions& options) {
    LayerBuilder::Options layers;
    layers.type = options.type;
    layers.seed = prng.Next();
    // One quantization for all lets concatenations find partners.
    if (prng.OneIn(2)) layers.quant = Quant(0.03f, prng.Between(-30, 30));
    return layers;
  }

  const Dims& shape(int tensor) { return net_.shape(tensor); }
  int rank(int tensor) { return static_cast<int>(shape(tensor).size()); }
  bool Fits(int64_t elements) const {
    return elements >= 1 && elements <= options_.max_elements;
  }
  bool HasRoomFor(size_t ops) {
    return model_.subgraph().ops.size() + ops <=
           static_cast<size_t>(options_.max_ops);
  }
  template <size_t N, class T>
  T OneOf(const T (&choices)[N]) {
    return choices[prng_.Below(static_cast<int>(N))];
  }
  bool SameQuant(int a, int b) {
    const Quant& qa = model_.tensor(a).quant;
    const Quant& qb = model_.tensor(b).quant;
    return qa.scales == qb.scales && qa.zero_points == qb.zero_points;
  }

  // Often the last one, for chains; else any, for long lives.
  int Pick() {
    if (prng_.OneIn(2)) return values_.back();
    return values_[static_cast<size_t>(
        prng_.Below(static_cast<int>(values_.size())))];
  }
  // Another tensor (or the same) that `fits`; kNone after a few attempts.
  template <class F>
  int PickPartner(F fits) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const int found = Pick();
      if (fits(found)) return found;
    }
    return kNone;
  }

  void AddInput(int i) {
    const std::string name = "input_" + std::to_string(i);
    Dims dims = {1, prng_.Between(1, 7), prng_.Between(1, 7),
                 prng_.Between(1, 8)};
    if (prng_.OneIn(4)) dims = {1, prng_.Between(1, 40)};
    values_.push_back(net_.Input(name, std::move(dims)));
  }
  void AddOp();
  void ChooseOutputs();
  void ShuffleOps();

  int Unary(int x);
  int Arithmetic(int x);
  int Extremum(int x);
  int WithConstant(int x);
  int Twice(int x);
  int Broadcast(int x);
  int Reshape(int x);
  int Squeeze(int x);
  int ExpandDims(int x);
  int Concat(int x);
  int Pad(int x);
  int Slice(int x);
  int Transpose(int x);
  int Conv(int x);
  int Depthwise(int x);
  int Pool(int x);
  int Dense(int x);
  int Mean(int x);
  int Softmax(int x);
  int WithOwnView(int x);
  int BesideOwnView(int x);
  int Accumulate(int x);
  int Reverse(int x);

  Window RandomWindow(int x);
  int Custom(const char* name, Dims inputs);

  Prng prng_;
  RandomGraphOptions options_;
  ModelBuilder model_;
  LayerBuilder net_;
  std::vector<int> values_;  // What ops may read, in order of production.
};

void Maker::AddOp() {
  static constexpr Action kActions[] = {
      &Maker::Unary,        &Maker::Unary,     &Maker::Arithmetic,
      &Maker::Arithmetic,   &Maker::Extremum,  &Maker::WithConstant,
      &Maker::Twice,        &Maker::Broadcast, &Maker::Reshape,
      &Maker::Reshape,      &Maker::Squeeze,   &Maker::ExpandDims,
      &Maker::Concat,       &Maker::Concat,    &Maker::Pad,
      &Maker::Slice,        &Maker::Transpose, &Maker::Conv,
      &Maker::Conv,         &Maker::Depthwise, &Maker::Pool,
      &Maker::Dense,        &Maker::Mean,      &Maker::Softmax,
      &Maker::Accumulate,   &Maker::Reverse,   &Maker::WithOwnView,
      &Maker::BesideOwnView};
  const Action action = OneOf(kActions);
  const int y = (this->*action)(Pick());
  if (y != kNone) values_.push_back(y);
}

int Maker::Unary(int x) {
  static constexpr schema::BuiltinOperator kCodes[] = {
      schema::BuiltinOperator_RELU,         schema::BuiltinOperator_RELU6,
      schema::BuiltinOperator_RELU_N1_TO_1, schema::BuiltinOperator_LOGISTIC,
      schema::BuiltinOperator_TANH,         schema::BuiltinOperator_HARD_SWISH};
  return net_.Unary(OneOf(kCodes), x);
}

int Maker::Arithmetic(int x) {
  static constexpr schema::BuiltinOperator kCodes[] = {
      schema::BuiltinOperator_ADD, schema::BuiltinOperator_SUB,
      schema::BuiltinOperator_MUL};
  const int other =
      PickPartner([&](int tensor) { return shape(tensor) == shape(x); });
  if (other == kNone) return kNone;
  const auto code = OneOf(kCodes);
  return net_.Binary(code, x, other, OneOf(kActivations));
}

int Maker::Extremum(int x) {
  static constexpr schema::BuiltinOperator kCodes[] = {
      schema::BuiltinOperator_MAXIMUM, schema::BuiltinOperator_MINIMUM};
  const int other = PickPartner([&](int tensor) {
    return shape(tensor) == shape(x) && SameQuant(tensor, x);
  });
  return other == kNone ? kNone : net_.Binary(OneOf(kCodes), x, other);
}

int Maker::WithConstant(int x) {
  Dims dims = {shape(x).back()};
  if (prng_.OneIn(3)) dims = {1};
  if (prng_.OneIn(3)) dims = shape(x);
  std::vector<float> values(static_cast<size_t>(Elements(dims)));
  for (float& value : values) value = prng_.Symmetric();
  const int constant = net_.Constant(std::move(dims), values);
  const auto code = prng_.OneIn(2) ? schema::BuiltinOperator_ADD
                                   : schema::BuiltinOperator_MUL;
  return prng_.OneIn(2) ? net_.Binary(code, x, constant)
                        : net_.Binary(code, constant, x);
}

int Maker::Twice(int x) {
  return net_.Binary(prng_.OneIn(2) ? schema::BuiltinOperator_MUL
                                    : schema::BuiltinOperator_ADD,
                     x, x);
}

int Maker::Broadcast(int x) {
  const int other = PickPartner([&](int tensor) {
    const Dims& a = shape(x);
    const Dims& b = shape(tensor);
    if (a == b || a.size() != b.size()) return false;
    int64_t elements = 1;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i] && a[i] != 1 && b[i] != 1) return false;
      elements *= std::max(a[i], b[i]);
    }
    return Fits(elements);
  });
  if (other == kNone) return kNone;
  return net_.Binary(schema::BuiltinOperator_SUB, x, other);
}

int Maker::Reshape(int x) {
  int32_t rest = static_cast<int32_t>(Elements(shape(x)));
  Dims dims;
  const int dimensions = prng_.Between(1, 4);
  while (static_cast<int>(dims.size()) < dimensions - 1) {
    int32_t divisor = prng_.Between(1, 8);
    while (rest % divisor != 0) --divisor;
    dims.push_back(divisor);
    rest /= divisor;
  }
  dims.push_back(rest);
  return net_.Reshape(x, std::move(dims));
}

int Maker::Squeeze(int x) {
  Dims axes;
  for (int i = 0; i < rank(x); ++i) {
    if (shape(x)[static_cast<size_t>(i)] == 1) axes.push_back(i);
  }
  if (axes.empty() || axes.size() == shape(x).size()) return kNone;
  return net_.Squeeze(x, std::move(axes));
}

int Maker::ExpandDims(int x) {
  if (shape(x).size() >= kMaxGraphRank) return kNone;
  return net_.ExpandDims(x, prng_.Between(0, rank(x)));
}

int Maker::Concat(int x) {
  const int axis = prng_.Below(rank(x));
  std::vector<int32_t> inputs = {x};
  int64_t elements = Elements(shape(x));
  const int count = prng_.Between(1, 4);
  while (static_cast<int>(inputs.size()) < count) {
    const int other = PickPartner([&](int tensor) {
      return shape(tensor) == shape(x) && SameQuant(tensor, x);
    });
    if (other == kNone) break;
    inputs.push_back(other);
    elements += Elements(shape(other));
  }
  return Fits(elements) ? net_.Concat(std::move(inputs), axis) : kNone;
}

int Maker::Pad(int x) {
  Dims before;
  Dims after;
  int64_t elements = 1;
  for (int32_t dim : shape(x)) {
    before.push_back(prng_.OneIn(3) ? prng_.Between(1, 2) : 0);
    after.push_back(prng_.OneIn(3) ? prng_.Between(1, 2) : 0);
    elements *= dim + before.back() + after.back();
  }
  return Fits(elements) && rank(x) <= 4 ? net_.Pad(x, before, after) : kNone;
}

int Maker::Slice(int x) {
  Dims begin;
  Dims end;
  Dims strides;
  for (int32_t dim : shape(x)) {
    begin.push_back(prng_.OneIn(2) ? 0 : prng_.Below(dim));
    end.push_back(prng_.OneIn(2) ? dim : prng_.Between(begin.back() + 1, dim));
    strides.push_back(prng_.OneIn(3) ? 2 : 1);
  }
  return net_.StridedSlice(x, std::move(begin), std::move(end),
                           std::move(strides));
}

int Maker::Transpose(int x) {
  Dims permutation(shape(x).size());
  std::iota(permutation.begin(), permutation.end(), 0);
  const auto from = permutation.begin() + prng_.Below(rank(x));
  std::rotate(permutation.begin(), from, permutation.end());
  return net_.Transpose(x, std::move(permutation));
}

Window Maker::RandomWindow(int x) {
  Window window;
  window.height = prng_.Between(1, 3);
  window.width = prng_.Between(1, 3);
  window.stride = prng_.Between(1, 2);
  const bool fits = window.height <= shape(x)[1] && window.width <= shape(x)[2];
  if (fits && prng_.OneIn(2)) window.padding = schema::Padding_VALID;
  return window;
}

int Maker::Conv(int x) {
  if (rank(x) != 4) return kNone;
  net_.set_bias(!prng_.OneIn(3));
  const int channels = prng_.Between(1, 8);
  const Dims& in = shape(x);
  if (!Fits(int64_t{in[0]} * in[1] * in[2] * channels)) return kNone;
  const Window window = RandomWindow(x);
  return net_.Conv(x, channels, window, OneOf(kActivations));
}

int Maker::Depthwise(int x) {
  if (rank(x) != 4) return kNone;
  net_.set_bias(!prng_.OneIn(3));
  const int multiplier = prng_.OneIn(3) ? 2 : 1;
  if (!Fits(multiplier * Elements(shape(x)))) return kNone;
  const Window window = RandomWindow(x);
  return net_.Depthwise(x, multiplier, window, OneOf(kActivations));
}

int Maker::Pool(int x) {
  if (rank(x) != 4) return kNone;
  const Window window = RandomWindow(x);
  return prng_.OneIn(2) ? net_.MaxPool(x, window) : net_.AveragePool(x, window);
}

int Maker::Dense(int x) {
  net_.set_bias(!prng_.OneIn(3));
  const int units = prng_.Between(1, 20);
  const int64_t rows = Elements(shape(x)) / shape(x).back();
  return rank(x) >= 2 && Fits(rows * units)
             ? net_.Dense(x, units, OneOf(kActivations))
             : kNone;
}

int Maker::Mean(int x) {
  return rank(x) == 4 ? net_.GlobalAverage(x, prng_.OneIn(2)) : kNone;
}

int Maker::Softmax(int x) { return rank(x) <= 4 ? net_.Softmax(x) : kNone; }

// An op that reads one storage by two names, each with a distance of its own.
int Maker::WithOwnView(int x) {
  if (!HasRoomFor(2)) return kNone;
  const int view = net_.Reshape(x, shape(x));
  values_.push_back(view);
  const int axis = prng_.Below(rank(x));
  if (!Fits(2 * Elements(shape(x)))) return net_.Add(x, view);
  return prng_.OneIn(2) ? net_.Concat({x, view}, axis)
                        : net_.Concat({view, x}, axis);
}

// Two views of a view: one is the input of an op that could work in place, if
// the other were not read afterwards.
int Maker::BesideOwnView(int x) {
  if (!HasRoomFor(5)) return kNone;
  const int view = net_.Reshape(x, {static_cast<int32_t>(Elements(shape(x)))});
  const int first = net_.Reshape(view, shape(x));
  const int second = net_.Reshape(view, shape(x));
  return net_.Add(Unary(first), second);
}

int Maker::Custom(const char* name, Dims inputs) {
  if (!options_.custom_ops) return kNone;
  const TensorSpec x = model_.tensor(inputs[0]);
  const int y = model_.AddTensor(name + ("_" + std::to_string(values_.size())),
                                 x.type, x.shape, x.quant);
  model_.AddCustomOp(name, std::move(inputs), {y});
  return y;
}

int Maker::Accumulate(int x) {
  if (!options_.custom_ops) return kNone;
  const TensorSpec like = model_.tensor(x);
  const int state = model_.AddVariable(like.name + "/state", like.type,
                                       like.shape, like.quant);
  return Custom("Accumulate", {x, state});
}

int Maker::Reverse(int x) { return Custom("Reverse", {x}); }

void Maker::ChooseOutputs() {
  std::vector<int32_t> outputs = {values_.back()};
  const int more = prng_.Below(4);
  // Any value: also inputs, views of inputs, and the same one again.
  for (int i = 0; i < more; ++i) outputs.push_back(Pick());
  if (prng_.OneIn(16)) outputs.push_back(net_.Constant({2}, {0.5f, -1.0f}));
  model_.SetOutputs(std::move(outputs));
}

void Maker::ShuffleOps() {
  std::vector<OpSpec>& ops = model_.subgraph().ops;
  for (int i = static_cast<int>(ops.size()) - 1; i > 0; --i) {
    std::swap(ops[static_cast<size_t>(i)],
              ops[static_cast<size_t>(prng_.Below(i + 1))]);
  }
}

}  // namespace

ModelBuilder RandomGraph(uint64_t seed, const RandomGraphOptions& options) {
  return Maker(seed, options).Make();
}

void FillRandom(Prng& prng, Tensor& tensor) {
  if (tensor.type == TensorType::kFloat32) {
    for (int64_t i = 0; i < tensor.shape.NumElements(); ++i) {
      tensor.data_as<float>()[i] = prng.Symmetric();
    }
    return;
  }
  for (int64_t i = 0; i < tensor.bytes; ++i) {
    tensor.data_as<uint8_t>()[i] = static_cast<uint8_t>(prng.Next());
  }
}

}  // namespace testing
}  // namespace arenalite
