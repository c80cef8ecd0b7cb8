#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "ep_layout.hpp"
#include "fp8.hpp"
#include "gpu_step.hpp"

namespace nightsweep {

/** Items that one index counts and places in order; indices run in parallel. */
inline constexpr std::size_t kStepItems = 32;
/** Elements of a row that one index computes. */
inline constexpr std::size_t kStepElements = 8;

constexpr std::size_t pieces(std::size_t elements) { return (elements + kStepElements - 1) / kStepElements; }

/** The routes of a rank's tokens and the experts' places, on the device. */
struct EpTables {
  /** Choices and their weights, topk for each token. */
  const std::int32_t* experts;
  const float* weights;
  /**
   * Slots by expert: the position of each expert's first, with one entry more than experts, and all slots.
   */
  const std::int32_t* first_slot;
  const std::int32_t* slots_of;
  std::size_t tokens;
  std::uint64_t first_token;
  std::int32_t topk, ranks, slots_per_rank;

  NIGHTSWEEP_STEP std::size_t choices() const { return tokens * static_cast<std::size_t>(topk); }
};

/** The slot of every choice: replicas are used in turn, by the token's number. One index for each choice. */
struct ChooseSlots {
  EpTables t;
  std::int32_t* slots;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::int32_t expert = t.experts[i];
    const std::int32_t first = t.first_slot[expert];
    const auto replicas = static_cast<std::uint64_t>(t.first_slot[expert + 1] - first);
    const std::uint64_t turn = t.first_token + i / static_cast<std::size_t>(t.topk);
    slots[i] = t.slots_of[first + static_cast<std::int32_t>(turn % replicas)];
  }
};

/** Counts the copies from a stretch of tokens to a rank. One index for each stretch and rank. */
struct CountCopies {
  EpTables t;
  const std::int32_t* slots;
  std::int32_t* counts;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const auto ranks = static_cast<std::size_t>(t.ranks);
    const auto k = static_cast<std::size_t>(t.topk);
    const auto rank = static_cast<std::int32_t>(i % ranks);
    const std::size_t begin = i / ranks * kStepItems;
    const std::size_t end = begin + kStepItems < t.tokens ? begin + kStepItems : t.tokens;
    std::int32_t count = 0;
    for (std::size_t token = begin; token < end; ++token) {
      bool goes = false;
      for (std::size_t c = 0; c < k; ++c) goes = goes || slots[token * k + c] / t.slots_per_rank == rank;
      count += goes ? 1 : 0;
    }
    counts[i] = count;
  }
};

/**
 * Replaces each column's counts by the sum before each stretch, and sums up the column. One index for each
 * column.
 */
struct ScanStretches {
  std::int32_t* counts;
  std::int32_t* totals;
  std::size_t stretches, columns;

  NIGHTSWEEP_STEP void operator()(std::size_t column) const {
    std::int32_t sum = 0;
    for (std::size_t s = 0; s < stretches; ++s) {
      const std::int32_t own = counts[s * columns + column];
      counts[s * columns + column] = sum;
      sum += own;
    }
    totals[column] = sum;
  }
};

/** The position of each column's first item, and at the end the number of items. A single index. */
struct ScanTotals {
  const std::int32_t* totals;
  std::int32_t* starts;
  std::size_t columns;

  NIGHTSWEEP_STEP void operator()(std::size_t /*i*/) const {
    starts[0] = 0;
    for (std::size_t c = 0; c < columns; ++c) starts[c + 1] = starts[c] + totals[c];
  }
};

/**
 * Each copy's token and record, and the copy of each choice: -1 if an earlier choice of the token opened it.
 * One index for each stretch and rank.
 */
struct FillCopies {
  EpTables t;
  const std::int32_t* slots;
  const std::int32_t* before;
  const std::int32_t* starts;
  std::int32_t* tokens;
  std::int32_t* records;
  std::int32_t* copy_of;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const auto ranks = static_cast<std::size_t>(t.ranks);
    const auto k = static_cast<std::size_t>(t.topk);
    const auto rank = static_cast<std::int32_t>(i % ranks);
    const std::size_t begin = i / ranks * kStepItems;
    const std::size_t end = begin + kStepItems < t.tokens ? begin + kStepItems : t.tokens;
    std::int32_t at = starts[rank] + before[i];
    for (std::size_t token = begin; token < end; ++token) {
      std::int32_t* const record = records + static_cast<std::size_t>(at) * CopyRecord::words(k);
      std::int32_t found = 0;
      for (std::size_t c = 0; c < k; ++c) {
        const std::size_t choice = token * k + c;
        if (slots[choice] / t.slots_per_rank != rank) continue;
        if (found == 0) {
          for (std::size_t w = 0; w < CopyRecord::words(k); ++w) record[w] = 0;
          record[0] = static_cast<std::int32_t>(token);
          tokens[at] = static_cast<std::int32_t>(token);
        }
        copy_of[choice] = found == 0 ? at : -1;
        record[2 + found] = slots[choice] % t.slots_per_rank;
        record[2 + t.topk + found] = std::bit_cast<std::int32_t>(t.weights[choice]);
        record[1] = ++found;
      }
      at += found > 0 ? 1 : 0;
    }
  }
};

/** The number of bytes that a GPU moves at once. */
struct alignas(16) Quad {
  std::uint32_t words[4];
};

/**
 * Puts the tokens' rows into the order of copies. One index for each copy and unit of the row, up to a limit
 * on copies.
 */
template <typename Unit>
struct PackRows {
  const Unit* rows;
  const std::int32_t* tokens;
  const std::int32_t* copies;
  Unit* packed;
  std::size_t units;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t copy = i / units;
    if (copy >= static_cast<std::size_t>(*copies)) return;
    packed[i] = rows[static_cast<std::size_t>(tokens[copy]) * units + i % units];
  }
};

/**
 * Converts rows of bf16 to fp8 with one scale for every 128 elements, codes before scales. One index for each
 * row and piece.
 */
struct QuantiseRows {
  const std::uint16_t* bf16_rows;
  std::byte* wire;
  std::size_t hidden;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t row = i / pieces(hidden);
    const std::size_t first = i % pieces(hidden) * kStepElements;
    const std::size_t group = first / kScaleGroup;
    const std::uint16_t* const in = bf16_rows + row * hidden;
    std::byte* const out = wire + row * (hidden + hidden / kScaleGroup * sizeof(float));
    // Each index reads its whole group; its neighbours read the same data from the cache.
    float largest = 0;
    for (std::size_t c = group * kScaleGroup; c < (group + 1) * kScaleGroup; ++c) {
      const float value = from_bf16(in[c]);
      const float magnitude = value < 0 ? -value : value;
      largest = largest < magnitude ? magnitude : largest;
    }
    const float scale = fp8_scale(largest);
    for (std::size_t c = first; c < first + kStepElements; ++c) {
      out[c] = static_cast<std::byte>(fp8_code(from_bf16(in[c]) / scale));
    }
    if (first % kScaleGroup == 0) reinterpret_cast<float*>(out + hidden)[group] = scale;
  }
};

/** Rows in transit format. */
struct WireRows {
  const std::byte* rows;
  std::size_t hidden;
  bool fp8;

  NIGHTSWEEP_STEP float at(std::size_t row, std::size_t column) const {
    if (!fp8) return from_bf16(reinterpret_cast<const std::uint16_t*>(rows)[row * hidden + column]);
    const std::byte* const own = rows + row * (hidden + hidden / kScaleGroup * sizeof(float));
    return fp8_value(static_cast<std::uint8_t>(own[column])) *
           reinterpret_cast<const float*>(own + hidden)[column / kScaleGroup];
  }
};

/** Received records. */
struct Records {
  const std::int32_t* words;
  std::size_t topk;

  NIGHTSWEEP_STEP const std::int32_t* of(std::size_t copy) const {
    return words + copy * CopyRecord::words(topk);
  }
  NIGHTSWEEP_STEP std::int32_t slots(std::size_t copy) const { return of(copy)[1]; }
  NIGHTSWEEP_STEP std::int32_t slot(std::size_t copy, std::int32_t s) const { return of(copy)[2 + s]; }
  NIGHTSWEEP_STEP float weight(std::size_t copy, std::int32_t s) const {
    return std::bit_cast<float>(of(copy)[2 + static_cast<std::int32_t>(topk) + s]);
  }
};

/** The weighted sum of the results of a copy's experts. One index for each copy and piece. */
struct ApplyToCopies {
  WireRows rows;
  Records records;
  const float* scale_of_slot;
  std::uint16_t* outputs;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t copy = i / pieces(rows.hidden);
    const std::size_t first = i % pieces(rows.hidden) * kStepElements;
    float factor = 0;
    for (std::int32_t s = 0; s < records.slots(copy); ++s) {
      factor += records.weight(copy, s) * scale_of_slot[records.slot(copy, s)];
    }
    for (std::size_t c = first; c < first + kStepElements && c < rows.hidden; ++c) {
      outputs[copy * rows.hidden + c] = bf16(factor * rows.at(copy, c)).bits;
    }
  }
};

/** Counts the rows of a stretch of copies for a slot. One index for each stretch and slot. */
struct CountRows {
  Records records;
  std::size_t copies, slots;
  std::int32_t* counts;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const auto slot = static_cast<std::int32_t>(i % slots);
    const std::size_t begin = i / slots * kStepItems;
    const std::size_t end = begin + kStepItems < copies ? begin + kStepItems : copies;
    std::int32_t count = 0;
    for (std::size_t copy = begin; copy < end; ++copy) {
      for (std::int32_t s = 0; s < records.slots(copy); ++s) count += records.slot(copy, s) == slot ? 1 : 0;
    }
    counts[i] = count;
  }
};

/** The expert's row for each slot of each copy, and each row's slot. One index for each stretch and slot. */
struct FillRows {
  Records records;
  std::size_t copies, slots;
  const std::int32_t* before;
  const std::int32_t* starts;
  std::int32_t* row_of;
  std::int32_t* slot_of_row;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const auto slot = static_cast<std::int32_t>(i % slots);
    const std::size_t begin = i / slots * kStepItems;
    const std::size_t end = begin + kStepItems < copies ? begin + kStepItems : copies;
    std::int32_t at = starts[slot] + before[i];
    for (std::size_t copy = begin; copy < end; ++copy) {
      for (std::int32_t s = 0; s < records.slots(copy); ++s) {
        if (records.slot(copy, s) != slot) continue;
        slot_of_row[at] = slot;
        row_of[copy * records.topk + static_cast<std::size_t>(s)] = at++;
      }
    }
  }
};

/** Converts copies to bf16 in the rows of their experts. One index for each copy and piece. */
struct UnpackRows {
  WireRows rows;
  Records records;
  const std::int32_t* row_of;
  std::uint16_t* expert_rows;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t copy = i / pieces(rows.hidden);
    const std::size_t first = i % pieces(rows.hidden) * kStepElements;
    for (std::int32_t s = 0; s < records.slots(copy); ++s) {
      const auto row = static_cast<std::size_t>(row_of[copy * records.topk + static_cast<std::size_t>(s)]);
      for (std::size_t c = first; c < first + kStepElements && c < rows.hidden; ++c) {
        expert_rows[row * rows.hidden + c] = bf16(rows.at(copy, c)).bits;
      }
    }
  }
};

/** Multiplies each expert's rows by its scale. One index for each row and piece, up to a limit on rows. */
struct ApplyToRows {
  const std::uint16_t* expert_rows;
  const std::int32_t* slot_of_row;
  const std::int32_t* rows;
  const float* scale_of_slot;
  std::uint16_t* results;
  std::size_t hidden;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t row = i / pieces(hidden);
    if (row >= static_cast<std::size_t>(*rows)) return;
    const std::size_t first = i % pieces(hidden) * kStepElements;
    const float scale = scale_of_slot[slot_of_row[row]];
    for (std::size_t c = first; c < first + kStepElements && c < hidden; ++c) {
      results[row * hidden + c] = bf16(scale * from_bf16(expert_rows[row * hidden + c])).bits;
    }
  }
};

/**
 * The weighted sum of the results of a copy's experts, from their rows. One index for each copy and piece.
 */
struct GatherRows {
  Records records;
  const std::int32_t* row_of;
  const std::uint16_t* results;
  std::uint16_t* outputs;
  std::size_t hidden;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t copy = i / pieces(hidden);
    const std::size_t first = i % pieces(hidden) * kStepElements;
    for (std::size_t c = first; c < first + kStepElements && c < hidden; ++c) {
      float sum = 0;
      for (std::int32_t s = 0; s < records.slots(copy); ++s) {
        const auto row = static_cast<std::size_t>(row_of[copy * records.topk + static_cast<std::size_t>(s)]);
        sum += records.weight(copy, s) * from_bf16(results[row * hidden + c]);
      }
      outputs[copy * hidden + c] = bf16(sum).bits;
    }
  }
};

/** Sums up the returned copies of each token. One index for each token and piece. */
struct SumUp {
  WireRows returned;
  const std::int32_t* copy_of;
  std::size_t topk;
  std::uint16_t* combined;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t token = i / pieces(returned.hidden);
    const std::size_t first = i % pieces(returned.hidden) * kStepElements;
    for (std::size_t c = first; c < first + kStepElements && c < returned.hidden; ++c) {
      float sum = 0;
      for (std::size_t choice = token * topk; choice < (token + 1) * topk; ++choice) {
        if (copy_of[choice] >= 0) sum += returned.at(static_cast<std::size_t>(copy_of[choice]), c);
      }
      combined[token * returned.hidden + c] = bf16(sum).bits;
    }
  }
};

}  // namespace nightsweep
