package io.nightsweep.journal;

import com.fasterxml.jackson.core.JacksonException;
import io.nightsweep.files.OwnFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock with one owner at a time, on any filesystem.
 *
 * <p>A hard link creates the owner's record atomically with its content. A record of a dead process
 * is taken over. On a local filesystem, the kernel's file lock must be free too; on others it is
 * not used, since the file server may never answer.
 */
public final class OwnerLock implements AutoCloseable {
  private static final Set<String> LOCAL_FILESYSTEMS =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "tmpfs", "f2fs", "overlay", "bcachefs");

  /**
   * Locks of this process. POSIX drops a process's locks on a file when the process closes any
   * descriptor of it, so a file that is locked here must not even be opened again.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final Owner self;
  private final Optional<FileChannel> kernelLock;

  /**
   * @param process distinguishes a process from a later one with the same pid
   */
  public record Owner(String host, long pid, String process, Instant since) {
    public enum OwnerLife {
      ALIVE,
      DEAD,
      /** The process is on another host. */
      UNKNOWN
    }

    static Owner self() {
      long pid = ProcessHandle.current().pid();
      return new Owner(
          ThisHost.name(),
          pid,
          ThisHost.process(pid).orElse(""),
          Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    /** Whether the process, which must be on this host, was stopped by a signal. */
    public boolean isStopped() {
      return life() == OwnerLife.ALIVE && ThisHost.isStopped(pid);
    }

    public OwnerLife life() {
      if (!host.equals(ThisHost.name())) {
        return OwnerLife.UNKNOWN;
      }
      return ThisHost.process(pid).filter(process::equals).isPresent()
          ? OwnerLife.ALIVE
          : OwnerLife.DEAD;
    }
  }

  private OwnerLock(Path file, Owner self, Optional<FileChannel> kernelLock) {
    this.file = file;
    this.self = self;
    this.kernelLock = kernelLock;
  }

  /**
   * Takes the ownership that {@code lockFile} represents.
   *
   * @throws OwnedElsewhereException if a live process, or one on another host, owns it
   */
  public static OwnerLock acquire(Path lockFile) throws IOException {
    Path file = lockFile.toAbsolutePath().normalize();
    if (!HELD_HERE.add(file)) {
      throw new OwnedElsewhereException("this process already owns " + what(file));
    }
    Optional<FileChannel> kernelLock = Optional.empty();
    boolean acquired = false;
    try {
      kernelLock = kernelLock(file);
      Owner self = Owner.self();
      create(file, self);
      acquired = true;
      return new OwnerLock(file, self, kernelLock);
    } finally {
      if (!acquired) {
        release(file, kernelLock);
      }
    }
  }

  /** This process, as recorded. */
  public Owner owner() {
    return self;
  }

  /** The recorded owner, dead or alive. */
  public static Optional<Owner> owner(Path file) throws IOException {
    try {
      return Optional.of(Json.mapper().readValue(Files.readAllBytes(file), Owner.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (owner(file).filter(self::equals).isPresent()) {
        Files.deleteIfExists(file);
      }
    } finally {
      release(file, kernelLock);
    }
  }

  private static void release(Path file, Optional<FileChannel> kernelLock) throws IOException {
    try {
      if (kernelLock.isPresent()) {
        kernelLock.get().close();
      }
    } finally {
      HELD_HERE.remove(file);
    }
  }

  private static void create(Path file, Owner self) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
    OwnFile.create(draft);
    Files.write(draft, Json.mapper().writeValueAsBytes(self));
    try {
      while (!link(draft, file)) {
        Optional<Owner> other = ownerOrStray(file);
        if (other.isPresent()) {
          refuseUnlessDead(file, other.get());
          takeAway(file, other.get());
        }
      }
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static boolean link(Path draft, Path file) throws IOException {
    try {
      Files.createLink(file, draft);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (UnsupportedOperationException e) {
      try {
        Files.write(file, Files.readAllBytes(draft), StandardOpenOption.CREATE_NEW);
        return true;
      } catch (FileAlreadyExistsException exists) {
        return false;
      }
    }
  }

  private static Optional<Owner> ownerOrStray(Path file) throws IOException {
    try {
      return owner(file);
    } catch (JacksonException e) {
      throw new OwnedElsewhereException(
          file
              + " is not an owner's record. If no daemon drives this sweep, remove the file and start again.");
    }
  }

  private static void refuseUnlessDead(Path file, Owner other) throws OwnedElsewhereException {
    switch (other.life()) {
      case ALIVE ->
          throw new OwnedElsewhereException(
              "process %d on this host has owned %s since %s"
                  .formatted(other.pid(), what(file), other.since()));
      case UNKNOWN ->
          throw new OwnedElsewhereException(
              "process %d on host %s has owned %s since %s. If that process is gone for certain, remove %s and start again."
                  .formatted(other.pid(), other.host(), what(file), other.since(), file));
      case DEAD -> {}
    }
  }

  /**
   * Renames the file first to detect whether another process was faster; if so, restores that
   * process's record.
   */
  private static void takeAway(Path file, Owner dead) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".stale-" + UUID.randomUUID());
    try {
      Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return;
    }
    try {
      Owner moved = Json.mapper().readValue(Files.readAllBytes(aside), Owner.class);
      if (!moved.equals(dead)) {
        link(aside, file);
        throw new OwnedElsewhereException(
            "process %d on host %s has just taken over %s"
                .formatted(moved.pid(), moved.host(), what(file)));
      }
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /** Empty if unknown, for example in a chroot with a root that is no mount point. */
  private static String filesystem(Path file) {
    try {
      return Files.getFileStore(file.getParent()).type();
    } catch (IOException e) {
      return "";
    }
  }

  private static Optional<FileChannel> kernelLock(Path file) throws IOException {
    if (!LOCAL_FILESYSTEMS.contains(filesystem(file))) {
      return Optional.empty();
    }
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    // Every process that can read a file can also lock it.
    OwnFile.create(lock);
    FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (channel.tryLock() != null) {
      return Optional.of(channel);
    }
    channel.close();
    throw new OwnedElsewhereException(
        owner(file)
            .map(o -> "process %d has owned %s since %s".formatted(o.pid(), what(file), o.since()))
            .orElse("another process owns " + what(file)));
  }

  private static String what(Path file) {
    return String.valueOf(file.getParent());
  }
}
