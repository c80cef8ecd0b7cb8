#pragma once
#include <optional>
#include <vector>

namespace nightsweep {

/** Ranks as places of a width x height grid, row by row. */
struct Grid {
  int width, height;

  [[nodiscard]] int column(int rank) const { return rank % width; }
  [[nodiscard]] int row(int rank) const { return rank / width; }
  [[nodiscard]] int rank_at(int column, int row) const { return row * width + column; }
  /** The ranks of a rank's row, or of its column, in order. */
  [[nodiscard]] std::vector<int> row_of(int rank) const;
  [[nodiscard]] std::vector<int> column_of(int rank) const;
  /** Whether a link joins the two: they are neighbours, or, with wrapping, the two ends of a line. */
  [[nodiscard]] bool linked(int a, int b, bool wraps) const;
};

/**
 * A tree over a grid without wrapping: along rows to the root's column, then along the column to the root.
 */
struct MeshTree {
  Grid grid;
  int root;

  /** The root is corner 0, or the place in the middle, which halves the distance. */
  static MeshTree at(Grid grid, bool centre);
  /** The parent; empty for the root. */
  [[nodiscard]] std::optional<int> parent(int rank) const;
  [[nodiscard]] std::vector<int> children(int rank) const;
  /** Links from the farthest rank to the root. */
  [[nodiscard]] int depth() const;
};

}  // namespace nightsweep
