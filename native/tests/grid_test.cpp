#include "grid.hpp"

#include <gtest/gtest.h>

namespace nightsweep {

TEST(Grid, LinksWrapOnlyInATorus) {
  const Grid grid{3, 2};
  EXPECT_TRUE(grid.linked(0, 1, false));
  EXPECT_TRUE(grid.linked(0, 3, false));
  EXPECT_FALSE(grid.linked(0, 2, false));
  EXPECT_TRUE(grid.linked(0, 2, true));
  EXPECT_FALSE(grid.linked(0, 4, true));
}

TEST(MeshTree, UsesOnlyLinksAndReachesTheRoot) {
  for (const bool centre : {false, true}) {
    for (const Grid grid : {Grid{2, 3}, Grid{3, 2}, Grid{1, 4}, Grid{4, 1}, Grid{5, 5}}) {
      const MeshTree tree = MeshTree::at(grid, centre);
      EXPECT_FALSE(tree.parent(tree.root));
      int edges = 0;
      for (int rank = 0; rank < grid.width * grid.height; ++rank) {
        for (const int child : tree.children(rank)) {
          EXPECT_TRUE(grid.linked(rank, child, false));
          EXPECT_EQ(tree.parent(child), rank);
          ++edges;
        }
      }
      EXPECT_EQ(edges, grid.width * grid.height - 1);
    }
  }
}

TEST(MeshTree, IsShallowerFromTheCentre) {
  EXPECT_EQ(MeshTree::at({2, 3}, false).depth(), 3);
  EXPECT_EQ(MeshTree::at({2, 3}, true).depth(), 2);
  EXPECT_EQ(MeshTree::at({5, 5}, false).depth(), 8);
  EXPECT_EQ(MeshTree::at({5, 5}, true).depth(), 4);
}

}  // namespace nightsweep
