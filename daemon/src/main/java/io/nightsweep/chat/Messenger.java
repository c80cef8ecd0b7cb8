package io.nightsweep.chat;

import io.nightsweep.journal.Redaction;
import io.nightsweep.report.Figures;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers messages to a bot's chats and to webhooks. Each recipient has a thread, so that a slow
 * one does not delay others; a bot also has a thread that listens.
 */
public final class Messenger implements Chat {
  private static final Logger log = LoggerFactory.getLogger(Messenger.class);
  private static final Duration BETWEEN_PASSES = Duration.ofMillis(500);

  /**
   * The recipients.
   *
   * @param bot with its chats; empty where there are only webhooks
   */
  public record Addresses(Optional<Credentials> bot, List<WebhookAddress> webhooks) {
    public Addresses {
      webhooks = List.copyOf(webhooks);
    }

    /**
     * The recipients in the environment and the configuration file.
     *
     * @throws Credentials.UnusableException where one is unusable
     */
    public static Addresses find(Map<String, String> environment, Path home)
        throws Credentials.UnusableException {
      return new Addresses(Credentials.find(environment, home), WebhookAddress.find(environment));
    }

    public boolean isEmpty() {
      return bot.isEmpty() && webhooks.isEmpty();
    }

    /** Describes the recipients for people, without addresses. */
    public String describe() {
      return Stream.concat(
              bot
                  .map(
                      c ->
                          "Telegram: %s (%s)"
                              .formatted(Figures.count(c.chats().size(), "chat"), c.source()))
                  .stream(),
              webhooks.stream().map(w -> w.service().label() + ": " + w.service().variable()))
          .collect(Collectors.joining(", "));
    }

    /** Adds all addresses to the redaction's secrets. */
    public Redaction known(Redaction redaction) {
      Redaction knowing = redaction;
      if (bot.isPresent()) {
        knowing = knowing.knowing(bot.get().token().reveal());
      }
      for (WebhookAddress webhook : webhooks) {
        knowing = knowing.knowing(webhook.url().reveal());
        knowing = knowing.knowing(URI.create(webhook.url().reveal()).getRawPath());
      }
      return knowing;
    }
  }

  private final Addresses addresses;
  private final Health health;
  private final List<Outbox> outboxes;
  private final List<Bulletins> bulletins;
  private final AtomicInteger untold = new AtomicInteger();
  private final InstantSource clock;
  private final AskedNotices notices;
  private final Optional<Listener> listener;
  private final ScheduledExecutorService delivering;

  private Messenger(
      Addresses addresses,
      ChatSettings settings,
      ChatSweeps sweeps,
      Path directory,
      Redaction redaction,
      InstantSource clock)
      throws IOException {
    this.addresses = addresses;
    this.clock = clock;
    health = new Health(clock);
    Redaction knowing = addresses.known(redaction);
    Composer composer = new Composer(ZoneId.systemDefault());
    AskedTalk talk = new AskedTalk(sweeps.confirming(), ZoneId.systemDefault());
    List<Recipient> recipients = new ArrayList<>();
    Optional<Listener> listening = Optional.empty();
    if (addresses.bot().isPresent()) {
      Credentials credentials = addresses.bot().get();
      MovedGroups moved = new MovedGroups(directory.resolve("telegram.moved"));
      Bot bot = new Bot(credentials.token(), settings, knowing, health, moved);
      credentials.chats().stream()
          .sorted()
          .forEach(chat -> recipients.add(new Recipient.OfBot(bot, chat)));
      Conversation conversation =
          new Conversation(
              bot,
              sweeps,
              credentials.chats(),
              moved,
              settings,
              new Answers(sweeps, composer),
              talk,
              clock);
      listening =
          Optional.of(
              new Listener(
                  credentials.token(),
                  settings,
                  health,
                  conversation::handle,
                  new Offset(directory.resolve("telegram.offset"), credentials.token())));
    }
    addresses.webhooks().forEach(w -> recipients.add(new Webhook(w, knowing)));
    listener = listening;
    Settlements settlements =
        new Settlements(sweeps, recipients.stream().map(Recipient::name).toList());
    outboxes =
        recipients.stream()
            .map(to -> new Outbox(sweeps, to, settlements, settings, composer, clock))
            .toList();
    bulletins = recipients.stream().map(to -> new Bulletins(to, settings, clock)).toList();
    // Separate threads, since an outbox may have to wait for a sweep and announcements must not.
    delivering = daemonThreads(outboxes.size() + bulletins.size() + 1);
    notices = new AskedNotices(sweeps.confirming(), talk, this::announce);
  }

  /**
   * Starts to deliver; a connection is not needed yet.
   *
   * @param directory for the last handled update and the ids of moved groups
   * @throws IOException where it cannot be read
   */
  public static Messenger open(
      Addresses addresses,
      ChatSettings settings,
      ChatSweeps sweeps,
      Path directory,
      Redaction redaction,
      InstantSource clock)
      throws IOException {
    Messenger messenger = new Messenger(addresses, settings, sweeps, directory, redaction, clock);
    messenger.outboxes.forEach(outbox -> messenger.again(outbox::pass, BETWEEN_PASSES));
    messenger.bulletins.forEach(box -> messenger.again(box::pass, BETWEEN_PASSES));
    messenger.again(messenger.notices::pass, AskedNotices.LOOK);
    log.info("notices go to {}", addresses.describe());
    return messenger;
  }

  private void again(Runnable pass, Duration after) {
    Future<?> unused =
        delivering.scheduleWithFixedDelay(
            () -> deliver(pass), 0, after.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Runs one pass; whatever it throws, the next pass will run. */
  static void deliver(Runnable pass) {
    try {
      pass.run();
    } catch (RuntimeException | VirtualMachineError | LinkageError | AssertionError e) {
      // An uncaught exception would silently cancel the schedule.
      log.error("messages were not delivered: {}", e.toString());
    }
  }

  @Override
  public String describe() {
    long waiting =
        IntStream.range(0, outboxes.size())
            .mapToLong(i -> outboxes.get(i).waiting() + bulletins.get(i).waiting())
            .max()
            .orElse(0);
    return addresses.describe()
        + backlog(waiting)
        + health.trouble().map(t -> "; " + t.text(ZoneId.systemDefault())).orElse("");
  }

  static String backlog(long waiting) {
    return waiting == 0
        ? ""
        : waiting == 1 ? ", 1 message waits" : ", " + waiting + " messages wait";
  }

  @Override
  public void announce(String text, Runnable told) {
    announce(Message.of(text), told);
  }

  private void announce(Message message, Runnable told) {
    AtomicInteger left = new AtomicInteger(outboxes.size());
    untold.incrementAndGet();
    Runnable done =
        () -> {
          if (left.decrementAndGet() == 0) {
            told.run();
            untold.decrementAndGet();
          }
        };
    bulletins.forEach(box -> box.add(new Bulletins.Bulletin(message, clock.instant(), done)));
  }

  @Override
  public boolean isAnnouncing() {
    return untold.get() > 0;
  }

  @Override
  public void listen() {
    listener.ifPresent(Listener::start);
  }

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public void close() {
    delivering.shutdown();
    listener.ifPresent(Listener::close);
    try {
      if (!delivering.awaitTermination(5, TimeUnit.SECONDS)) {
        delivering.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ScheduledExecutorService daemonThreads(int count) {
    return new ScheduledThreadPoolExecutor(
        count, task -> Thread.ofPlatform().name("outbox").daemon(true).unstarted(task));
  }
}
