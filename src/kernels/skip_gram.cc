// SKIP_GRAM: all sequences of n words of a sentence, with up to so many words
// left out between two of them.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/string_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct SkipGramOptions {
  int32_t ngram_size;
  int32_t max_skip_size;
  bool include_all_ngrams;  // Shorter ones too.
};

Status ParseSkipGram(const OpSource& source, void* options) {
  auto* parsed = static_cast<SkipGramOptions*>(options);
  const auto* table = OptionsTable<schema::SkipGramOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->ngram_size = table->ngram_size();
  parsed->max_skip_size = table->max_skip_size();
  parsed->include_all_ngrams = table->include_all_ngrams();
  return OkStatus();
}

struct Word {
  int64_t index;
  std::string_view text;
  size_t next;  // Where to look for the word after it.
};

struct SkipGramData {
  int words;  // Scratch: those of the current gram.
};

Word* WordsOf(const OpContext& context) {
  return context.scratch<Word>(context.data<SkipGramData>().words);
}

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Finds the word at or after `from`; false at the end. As for the reference,
// a space in the first place takes the first word with it.
bool FindWord(std::string_view text, size_t from, Word* word) {
  size_t begin = from;
  for (size_t i = from == 0 ? 1 : from; i < text.size(); ++i) {
    if (!IsSpace(text[i])) continue;
    if (i > begin && !IsSpace(text[begin])) {
      word->text = std::string_view(text.data() + begin, i - begin);
      word->next = i + 1;
      return true;
    }
    begin = i + 1;
  }
  if (begin >= text.size()) return false;
  word->text = std::string_view(text.data() + begin, text.size() - begin);
  word->next = text.size();
  return true;
}

int64_t CountWords(std::string_view text) {
  int64_t count = 0;
  for (Word word = {}; FindWord(text, word.next, &word);) ++count;
  return count;
}

// Calls visit(number of words) for each gram, held in WordsOf(), in the
// reference's order: the first word moves last, and shorter grams come after
// the longer ones that they begin. Stops when visit returns false.
template <class Visit>
void ForEachGram(OpContext& context, std::string_view text, Visit visit) {
  const auto& options = context.options<SkipGramOptions>();
  Word* words = WordsOf(context);
  const int size = options.ngram_size;
  const int64_t num_words = CountWords(text);
  if (size < 1 || num_words < size) return;
  words[0] = {};
  FindWord(text, 0, &words[0]);
  if (size > 1) words[1] = words[0];
  int depth = 1;
  while (depth >= 0) {
    Word next = {};
    // Where only whole grams are wanted, none is begun that too few words are
    // left for: there can be exponentially many of those.
    const int needed = options.include_all_ngrams ? 1 : size - depth;
    if (depth < size && num_words - words[depth].index > needed &&
        (depth == 0 || words[depth].index - words[depth - 1].index <=
                           options.max_skip_size) &&
        FindWord(text, words[depth].next, &next)) {
      next.index = words[depth].index + 1;
      words[depth++] = next;
      if (depth < size) words[depth] = next;
      continue;
    }
    const bool is_wanted =
        depth == size || (options.include_all_ngrams && depth > 0);
    if (is_wanted && !visit(depth)) return;
    --depth;
  }
}

Status EvalSkipGram(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(StringReader strings,
                             StringReader::Create(context.input(0)));
  if (strings.size() == 0) return OutOfRangeError("input 0 holds no string");
  const std::string_view text = strings[0];
  const Word* words = WordsOf(context);
  int64_t count = 0;
  int64_t text_bytes = 0;
  ForEachGram(context, text, [&](int size) {
    ++count;
    for (int i = 0; i < size; ++i) {
      text_bytes += static_cast<int64_t>(words[i].text.size()) + (i > 0);
    }
    return text_bytes <= INT32_MAX;  // More cannot be written.
  });
  ARENALITE_ASSIGN_OR_RETURN(int64_t bytes,
                             PackedStringBytes(count, text_bytes));
  Shape shape = {static_cast<int32_t>(count)};
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape, bytes));
  StringWriter writer(context.output(0).data, count);
  ForEachGram(context, text, [&](int size) {
    for (int i = 0; i < size; ++i) {
      if (i > 0) writer.Extend(" ");
      writer.Extend(words[i].text);
    }
    writer.Append("");
    return true;
  });
  return OkStatus();
}

Status PrepareSkipGram(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const TensorType input = context.input(0).type;
  const TensorType output = context.output(0).type;
  if (input != TensorType::kString || output != TensorType::kString) {
    return InvalidModelError("input and output are ", TensorTypeName(input),
                             " and ", TensorTypeName(output),
                             ", allowed STRING");
  }
  constexpr int kMaxSize = 1 << 16;
  const int32_t size = context.options<SkipGramOptions>().ngram_size;
  if (size > kMaxSize) {
    return UnimplementedError("ngram_size is ", size, ", allowed up to ",
                              kMaxSize);
  }
  ARENALITE_ASSIGN_OR_RETURN(SkipGramData * data,
                             context.CreateData<SkipGramData>());
  ARENALITE_ASSIGN_OR_RETURN(data->words,
                             context.RequestScratch(std::max<int64_t>(0, size) *
                                                    int64_t{sizeof(Word)}));
  return context.SetOutputDynamic(0);
}

}  // namespace

namespace ops {

const OpDefinition kSkipGram = {
    "SKIP_GRAM",
    schema::BuiltinOperator_SKIP_GRAM,
    1,
    kOpDefault,
    sizeof(SkipGramOptions),
    ParseSkipGram,
    PrepareSkipGram,
    EvalSkipGram,
    nullptr,  // The output is dynamic, and so outside of the arena.
};

}  // namespace ops
}  // namespace arenalite
