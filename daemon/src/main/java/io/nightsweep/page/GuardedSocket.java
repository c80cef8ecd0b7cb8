package io.nightsweep.page;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections from processes of this user and of root. It closes all others before it reads
 * a byte, so that no other user of the machine can occupy a connection or a thread of the daemon.
 */
final class GuardedSocket extends ServerSocket {
  private static final Logger log = LoggerFactory.getLogger(GuardedSocket.class);

  /** A browser opens up to six, plus one stream for each page. */
  static final int MOST_CONNECTIONS = 64;

  /** Wait after each refusal, so that endless connection attempts cost little. */
  private static final Duration BREATH = Duration.ofMillis(2);

  private static final int ROOT = 0;

  private final Peers peers;
  private final int user;
  private final ReentrantLock accepting = new ReentrantLock();
  private final Semaphore places = new Semaphore(MOST_CONNECTIONS);

  /**
   * @param user numeric id of the user allowed to connect
   */
  GuardedSocket(Peers peers, int user, int port, int backlog, InetAddress address)
      throws IOException {
    this.peers = peers;
    this.user = user;
    setReuseAddress(true);
    bind(new InetSocketAddress(address, port), backlog);
  }

  @Override
  public Socket accept() throws IOException {
    while (true) {
      Counted socket = new Counted();
      accepting.lock();
      try {
        implAccept(socket);
      } finally {
        accepting.unlock();
      }
      if (isWelcome(socket) && places.tryAcquire()) {
        socket.isCounted.set(true);
        return socket;
      }
      socket.close();
      LockSupport.parkNanos(BREATH.toNanos());
    }
  }

  /** Closes and waits until the port is free: an accepting thread holds it until it returns. */
  @Override
  public void close() throws IOException {
    super.close();
    accepting.lock();
    try {
      log.debug("the page's port is free");
    } finally {
      accepting.unlock();
    }
  }

  private boolean isWelcome(Socket socket) {
    if (!peers.isTold()) {
      return true;
    }
    try {
      OptionalInt peer =
          peers.user(
              new InetSocketAddress(socket.getInetAddress(), socket.getPort()),
              new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort()));
      return peer.isPresent() && (peer.getAsInt() == user || peer.getAsInt() == ROOT);
    } catch (IOException e) {
      log.warn(
          "the page lets nobody in, since the kernel's table of sockets cannot be read: {}",
          e.getMessage());
      return false;
    }
  }

  /** A connection that counts against the limit until it is closed. */
  private final class Counted extends Socket {
    private final AtomicBoolean isCounted = new AtomicBoolean();

    @Override
    public void close() throws IOException {
      if (isCounted.getAndSet(false)) {
        places.release();
      }
      super.close();
    }
  }
}
