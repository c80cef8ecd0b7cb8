package io.nightsweep.files;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** A separate process that holds a file's lock until it is closed. */
public final class LockHolder implements AutoCloseable {
  private final Process process;

  private LockHolder(Process process) {
    this.process = process;
  }

  /** Returns once the lock is held. */
  public static LockHolder of(Path file) throws Exception {
    Process process =
        new ProcessBuilder(ChildJvm.command(LockHolder.class, file.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.getInputStream().read() != '!') {
      throw new IllegalStateException("the holder does not hold " + file);
    }
    return new LockHolder(process);
  }

  public static void main(String[] file) throws Exception {
    try (FileChannel channel =
        FileChannel.open(Path.of(file[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.lock();
      System.out.write('!');
      System.out.flush();
      System.in.read();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().orTimeout(1, TimeUnit.MINUTES).join();
  }
}
