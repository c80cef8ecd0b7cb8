package io.nightsweep.files;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Refuses folders and files that another user of the machine owns or can write: whoever writes what
 * this program obeys can run commands as its user. The rule is that of sshd's {@code StrictModes};
 * root's files count as one's own.
 */
public final class Ours {
  private static final int ROOT = 0;
  private static final Path SELF = Path.of("/proc/self");
  private static final Set<PosixFilePermission> WRITE =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final Set<PosixFilePermission> ENTER =
      Set.of(PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

  private Ours() {}

  /** The numeric id of this process's user, from the kernel; -1 where unknown. */
  public static int user() throws IOException {
    return Files.exists(SELF) ? owner(SELF) : -1;
  }

  /**
   * Accepts a file or folder of this user, or a missing one. A link is followed: both the link and
   * its target must be this user's.
   *
   * @throws IOException where another user owns it or can write it; a file's mode is ignored if
   *     others cannot enter its folder
   */
  public static void check(Path path) throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    checkOwner(path, LinkOption.NOFOLLOW_LINKS);
    Path real = path.toRealPath();
    checkOwner(real);
    if (has(real, WRITE) && (Files.isDirectory(real) || has(real.resolveSibling("."), ENTER))) {
      throw new IOException(
          path + " may be written by other users; remove that permission: chmod go-w " + path);
    }
  }

  /**
   * Checks the owners of everything in the folder, down to the given depth, like {@link #check}.
   */
  public static void checkOwners(Path folder, int depth) throws IOException {
    Files.walkFileTree(
        folder.toRealPath(),
        Set.of(),
        depth,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path child, BasicFileAttributes attributes)
              throws IOException {
            checkOwner(child, LinkOption.NOFOLLOW_LINKS);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path child, BasicFileAttributes attributes)
              throws IOException {
            checkOwner(child, LinkOption.NOFOLLOW_LINKS);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path child, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }

  /**
   * Removes other users' permissions on a folder or file.
   *
   * @throws IOException where another user owns it, or where the permissions cannot be removed
   */
  public static void close(Path path) throws IOException {
    checkOwner(path);
    Set<PosixFilePermission> own = Files.getPosixFilePermissions(path);
    if (own.removeIf(p -> !p.name().startsWith("OWNER_"))) {
      Files.setPosixFilePermissions(path, own);
    }
    if (has(path, WRITE)) {
      throw new IOException(
          path
              + " may be written by other users, and its file system does not allow a change of"
              + " that; name a folder on another file system with --state");
    }
  }

  private static boolean has(Path path, Set<PosixFilePermission> any) throws IOException {
    return Files.getPosixFilePermissions(path).stream().anyMatch(any::contains);
  }

  private static int owner(Path path, LinkOption... options) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:uid", options);
  }

  private static void checkOwner(Path path, LinkOption... options) throws IOException {
    int owner = owner(path, options);
    int user = user();
    if (owner != user && owner != ROOT && user >= 0 && !isSquashed(path, owner)) {
      throw new IOException(
          path
              + " belongs to "
              + Files.getOwner(path, options).getName()
              + ", who could make this program run commands as you; remove it, or give a state"
              + " folder of your own: --state FOLDER");
    }
  }

  /** Whether a file server shows root's files as another user's (NFS: root_squash). */
  private static boolean isSquashed(Path path, int owner) throws IOException {
    if (user() != ROOT) {
      return false;
    }
    Path folder = Files.isDirectory(path) ? path : path.toAbsolutePath().resolveSibling(".");
    Path probe = Files.createTempFile(folder, ".owner", "");
    try {
      return owner(probe) == owner;
    } finally {
      Files.delete(probe);
    }
  }
}
