#include "grid.hpp"

#include <algorithm>
#include <cstdlib>

namespace nightsweep {
namespace {

bool next_to(int a, int b, int length, bool wraps) {
  const int apart = std::abs(a - b);
  return apart == 1 || (wraps && length > 2 && apart == length - 1);
}

}  // namespace

std::vector<int> Grid::row_of(int rank) const {
  std::vector<int> ranks;
  for (int c = 0; c < width; ++c) ranks.push_back(rank_at(c, row(rank)));
  return ranks;
}

std::vector<int> Grid::column_of(int rank) const {
  std::vector<int> ranks;
  for (int r = 0; r < height; ++r) ranks.push_back(rank_at(column(rank), r));
  return ranks;
}

bool Grid::linked(int a, int b, bool wraps) const {
  if (row(a) == row(b)) return next_to(column(a), column(b), width, wraps);
  return column(a) == column(b) && next_to(row(a), row(b), height, wraps);
}

MeshTree MeshTree::at(Grid grid, bool centre) {
  return {grid, centre ? grid.rank_at(grid.width / 2, grid.height / 2) : 0};
}

std::optional<int> MeshTree::parent(int rank) const {
  const auto towards = [](int from, int to) { return from + (to > from ? 1 : -1); };
  const int column = grid.column(rank);
  const int row = grid.row(rank);
  if (column != grid.column(root)) return grid.rank_at(towards(column, grid.column(root)), row);
  if (row != grid.row(root)) return grid.rank_at(column, towards(row, grid.row(root)));
  return std::nullopt;
}

std::vector<int> MeshTree::children(int rank) const {
  std::vector<int> ranks;
  for (int other = 0; other < grid.width * grid.height; ++other) {
    if (parent(other) == rank) ranks.push_back(other);
  }
  return ranks;
}

int MeshTree::depth() const {
  int deepest = 0;
  for (int rank = 0; rank < grid.width * grid.height; ++rank) {
    int links = 0;
    for (auto up = parent(rank); up; up = parent(*up)) ++links;
    deepest = std::max(deepest, links);
  }
  return deepest;
}

}  // namespace nightsweep
