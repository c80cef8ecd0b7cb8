package io.nightsweep.chat;

import io.nightsweep.plan.AddedProfiles;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.report.EventLines;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.telegram.telegrambots.meta.api.objects.CallbackQuery;
import org.telegram.telegrambots.meta.api.objects.Update;
import org.telegram.telegrambots.meta.api.objects.User;
import org.telegram.telegrambots.meta.api.objects.message.MaybeInaccessibleMessage;

/**
 * Carries out commands from the listed chats. A command takes the same path as one from the command
 * line. Its origin names the message or button from which it came, so that it acts only once.
 */
final class Conversation {
  private static final Logger log = LoggerFactory.getLogger(Conversation.class);
  private static final int MOST_STRANGERS = 1000;

  /**
   * A command addressed to one of several bots in a group
   * (core.telegram.org/bots/features#commands).
   */
  private static final Pattern ADDRESSED_COMMAND = Pattern.compile("(/[a-z]+)@(\\w+)");

  private final Bot bot;
  private final ChatSweeps sweeps;
  private final Set<Long> chats;
  private final MovedGroups moved;
  private final ChatSettings settings;
  private final Answers answers;
  private final Presses presses;
  private final AskedTalk talk;
  private final InstantSource clock;
  private final Set<Long> strangers = new HashSet<>();

  Conversation(
      Bot bot,
      ChatSweeps sweeps,
      Set<Long> chats,
      MovedGroups moved,
      ChatSettings settings,
      Answers answers,
      AskedTalk talk,
      InstantSource clock) {
    this.bot = bot;
    this.sweeps = sweeps;
    this.chats = chats;
    this.moved = moved;
    this.settings = settings;
    this.clock = clock;
    this.answers = answers;
    this.talk = talk;
    presses = new Presses();
  }

  void handle(Update update) throws InterruptedException {
    if (update.hasMessage() && update.getMessage().hasText()) {
      var message = update.getMessage();
      if (isListed(message.getChatId())) {
        said(
            message.getChatId(),
            who(message.getFrom()),
            "message " + message.getChatId() + "/" + message.getMessageId(),
            message.getText(),
            Instant.ofEpochSecond(message.getDate()));
      }
    } else if (update.hasMessage() && update.getMessage().getMigrateToChatId() != null) {
      long group = update.getMessage().getChatId();
      if (isListed(group)) {
        moved.move(group, update.getMessage().getMigrateToChatId());
      }
    } else if (update.hasCallbackQuery()) {
      CallbackQuery query = update.getCallbackQuery();
      MaybeInaccessibleMessage message = query.getMessage();
      if (message != null && isListed(message.getChatId())) {
        pressed(query, message);
      }
    }
  }

  /**
   * Whether the chat is listed. Other chats get no answer and, however often they write, one line
   * each in the log.
   */
  private boolean isListed(long chat) {
    if (chats.contains(chat) || chats.contains(moved.before(chat))) {
      return true;
    }
    if (strangers.size() < MOST_STRANGERS && strangers.add(chat)) {
      log.warn("Telegram: chat {} is not listed and is not obeyed", chat);
    }
    return false;
  }

  private static String who(User user) {
    return user == null
        ? "somebody"
        : Optional.ofNullable(user.getUserName()).orElse(user.getFirstName()) + " " + user.getId();
  }

  private void said(long chat, String who, String once, String text, Instant at)
      throws InterruptedException {
    Duration age = Duration.between(at, clock.instant());
    if (age.compareTo(settings.staleCommand()) > 0) {
      reply(
          chat,
          Message.of(
              List.of(
                  MessageLine.of(
                          "Not carried out, since it is %d minutes old: "
                              .formatted(age.toMinutes()))
                      .code(text)
                      .plain(". Say it again if it still holds."))));
      return;
    }
    Optional<String> mine = forThisBot(text);
    if (mine.isEmpty()) {
      return;
    }
    Addressed addressed = Addressed.of(mine.get(), sweeps.all());
    Intent intent = Intent.of(addressed.text());
    boolean isChatter = chat < 0 && !text.startsWith("/");
    if (isChatter && intent instanceof Intent.Unclear) {
      // Ignores people in a group who talk to each other.
      return;
    }
    if (intent instanceof Intent.Help) {
      reply(chat, Answers.help());
      return;
    }
    if (intent instanceof Intent.Unclear unclear) {
      reply(chat, Answers.help().under(MessageLine.of(unclear.why() + ". What do you mean?")));
      return;
    }
    if (intent instanceof Intent.Waiting) {
      talk.waiting().forEach(message -> reply(chat, message));
      return;
    }
    if (intent instanceof Intent.Answered answered) {
      answer(chat, answered.asked(), answered.yes(), who + " by " + once);
      return;
    }
    if (addressed.sweep().isEmpty()) {
      reply(chat, Message.of(addressed.problem()));
      return;
    }
    SweepState s = addressed.sweep().get();
    switch (intent) {
      case Intent.Act act -> act(chat, s, act.command(), who + " by " + once);
      case Intent.Add add -> add(chat, s, add.profile(), who + " by " + once);
      default -> reply(chat, answer(s, intent));
    }
  }

  /** The text without {@code @name} after its command; empty where the name is another bot's. */
  private Optional<String> forThisBot(String text) {
    Matcher command = ADDRESSED_COMMAND.matcher(text.strip());
    if (!command.lookingAt()) {
      return Optional.of(text);
    }
    return bot.username()
        .filter(name -> name.equalsIgnoreCase(command.group(2)))
        .map(name -> command.group(1) + text.strip().substring(command.end()));
  }

  private Message answer(SweepState s, Intent intent) {
    try {
      return switch (intent) {
        case Intent.Status i -> answers.status(s, clock.instant());
        case Intent.ShowLeaderboard i -> answers.leaderboard(s);
        case Intent.Log i -> answers.log(s, i.attempt());
        case Intent.Explain i -> answers.explain(s, i.about());
        case Intent.ShowBudget i -> Answers.budget(s, clock.instant());
        case Intent.AskStop i -> Answers.askStop(s);
        case Intent.AskSkip i -> Answers.askSkip(s);
        case Intent.Confirm i -> Answers.confirm(s, i.command());
        case Intent.Help i -> Answers.help();
        case Intent.Waiting i -> Answers.help();
        case Intent.Answered i -> Answers.help();
        case Intent.Unclear i -> Message.of(i.why());
        case Intent.Act i -> Message.of(EventLines.of(i.command()));
        case Intent.Add i -> Message.of("add " + i.profile());
      };
    } catch (IOException e) {
      return Message.of("That cannot be read just now: " + e.getMessage());
    }
  }

  private void pressed(CallbackQuery query, MaybeInaccessibleMessage message)
      throws InterruptedException {
    long chat = message.getChatId();
    Optional<Press> press = Press.parse(String.valueOf(query.getData()));
    Optional<Boolean> yes = press.flatMap(Presses::answer);
    if (yes.isPresent()) {
      Press answer = press.get();
      if (!bot.answer(query.getId(), yes.get() ? "confirmed" : "denied")) {
        reply(chat, Message.of(tooLate(answer.argument())));
        return;
      }
      bot.removeButtons(chat, message.getMessageId());
      String once = "button " + chat + "/" + message.getMessageId();
      answer(chat, answer.argument(), yes.get(), who(query.getFrom()) + " by " + once);
      return;
    }
    Optional<SweepState> s =
        press.flatMap(
            p ->
                sweeps.all().stream()
                    .filter(state -> Press.key(state.sweep()).equals(p.sweep()))
                    .findFirst());
    if (press.isEmpty() || s.isEmpty()) {
      boolean unused = bot.answer(query.getId(), "That sweep is over.");
      return;
    }
    switch (presses.meaning(s.get(), press.get())) {
      case Presses.Asks asks -> {
        boolean unused = bot.answer(query.getId(), "");
        reply(chat, answer(s.get(), asks.intent()));
      }
      case Presses.Over over -> {
        boolean unused = bot.answer(query.getId(), over.why());
        bot.removeButtons(chat, message.getMessageId());
      }
      case Presses.Acts acts -> {
        String once = "button " + chat + "/" + message.getMessageId() + "/" + press.get().action();
        // A button press carries no date, but Telegram refuses an answer to one that is too old.
        if (!bot.answer(query.getId(), EventLines.of(acts.command()))) {
          reply(chat, Message.of(tooLate(EventLines.of(acts.command()))));
          return;
        }
        bot.removeButtons(chat, message.getMessageId());
        act(chat, s.get(), acts.command(), who(query.getFrom()) + " by " + once);
      }
    }
  }

  private static List<MessageLine> tooLate(String what) {
    return List.of(
        MessageLine.of("Not carried out, since the button was pressed too long ago: ")
            .code(what)
            .plain(". Press it again if it still holds."));
  }

  /** Runs in a separate thread, since a confirmed start takes minutes. */
  private void answer(long chat, String asked, boolean yes, String who) {
    Thread unused =
        Thread.ofVirtual()
            .name("answer to " + asked)
            .start(
                () -> {
                  try {
                    reply(chat, talk.answered(asked, yes, who));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
  }

  private void add(long chat, SweepState s, String profile, String who)
      throws InterruptedException {
    try {
      List<Profile> added = AddedProfiles.ofLine(profile, s.spec(), false, System.getenv());
      act(chat, s, new Command.AddProfiles(added), who);
    } catch (InvalidInputException e) {
      reply(
          chat,
          Message.of(
              Stream.concat(
                      Stream.of(MessageLine.of("Not added:")),
                      e.problems().stream().map(p -> MessageLine.of("- " + p)))
                  .toList()));
    }
  }

  /** Repeats the command to the person, carries it out, and reports the result. */
  private void act(long chat, SweepState s, Command command, String who)
      throws InterruptedException {
    String once = who.substring(who.lastIndexOf(" by "));
    boolean done =
        s.commands().stream()
            .anyMatch(
                c ->
                    c.origin().door() == Command.Origin.Door.TELEGRAM
                        && c.origin().who().endsWith(once));
    if (done) {
      reply(chat, Message.of("That was done already; a button acts only once."));
      return;
    }
    reply(
        chat,
        Message.of(
            List.of(
                MessageLine.of("Understood: ")
                    .code(EventLines.of(command))
                    .plain(", for ")
                    .code(s.sweep())
                    .plain("."))));
    Optional<String> refused =
        sweeps.tell(s.sweep(), command, new Command.Origin(Command.Origin.Door.TELEGRAM, who));
    reply(chat, Message.of(refused.map(why -> "Refused: " + why).orElse("Done.")));
  }

  /** Sends an answer. It is not stored for another try; a person who was cut off asks again. */
  private void reply(long chat, Message message) {
    for (Message.Part part : bot.parts(message)) {
      switch (bot.send(chat, part)) {
        case CallOutcome.Sent o -> {}
        case CallOutcome.NotSent o -> log.info("an answer was not sent: {}", o.because());
        case CallOutcome.Refused o -> log.warn("an answer was refused: {}", o.because());
        case CallOutcome.Unknown o ->
            log.info("whether an answer arrived is unknown: {}", o.because());
      }
    }
  }

  /**
   * The sweep of a text: the one that its last word names, or the only one.
   *
   * @param problem the question to ask if there is none
   */
  record Addressed(String text, Optional<SweepState> sweep, String problem) {
    static Addressed of(String text, List<SweepState> all) {
      List<String> words = new ArrayList<>(List.of(text.strip().split("\\s+")));
      Optional<SweepState> named =
          all.stream().filter(s -> s.sweep().equals(words.getLast())).findFirst();
      if (named.isPresent() && words.size() > 1) {
        words.removeLast();
        return new Addressed(String.join(" ", words), named, "");
      }
      List<SweepState> unfinished = all.stream().filter(s -> !s.isFinished()).toList();
      List<SweepState> candidates = unfinished.isEmpty() ? all : unfinished;
      return candidates.size() == 1
          ? new Addressed(text, Optional.of(candidates.getFirst()), "")
          : new Addressed(
              text,
              Optional.empty(),
              candidates.isEmpty()
                  ? "No sweep is under way."
                  : "Which sweep? Say it again with one of these at its end: "
                      + String.join(", ", candidates.stream().map(SweepState::sweep).toList()));
    }
  }
}
