package io.nightsweep.cli;

import io.nightsweep.agent.Grant;
import io.nightsweep.agent.Grants;
import io.nightsweep.agent.Scope;
import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Confirming;
import io.nightsweep.asked.RefusedException;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.LowerCase;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "grant",
    mixinStandardHelpOptions = true,
    description =
        "Sets what an assistant may do and for how long; without a name, lists the grants.")
final class GrantCommand implements Callable<Integer> {
  private static final Duration LONGEST = Duration.ofDays(7);

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Parameters(paramLabel = "NAME", arity = "0..1", description = "As in: nightsweep mcp --as NAME")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--scope",
      description = "${COMPLETION-CANDIDATES}; each includes those before it.")
  private @Nullable Scope scope;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "Such as 8h or 90m, at most 7 days (default: ${DEFAULT-VALUE}).",
      defaultValue = "12h")
  private String time = "12h";

  @Option(names = "--revoke", description = "Take back what was granted.")
  private boolean revoke;

  @Option(names = "--json", description = "For the list: one object on a line for each grant.")
  private boolean json;

  private record GrantJson(String assistant, String scope, Instant until, boolean holds) {}

  @Override
  public Integer call() throws IOException, CliException {
    Grants grants = new Grants(state.directory().root());
    PrintWriter out = spec.commandLine().getOut();
    if (name.isEmpty() && (revoke || scope != null)) {
      throw new CliException(ExitCode.USAGE, "name the assistant, as in: nightsweep mcp --as NAME");
    }
    if (name.isEmpty()) {
      list(grants, out);
    } else if (revoke) {
      out.println(
          grants.revoke(name.get(), person(), Instant.now())
              ? name.get() + " may only read from now on"
              : name.get() + " had no grant");
      withdraw(name.get(), out);
    } else {
      give(grants, name.get(), out);
    }
    return ExitCode.OK;
  }

  /** Withdraws the requests under the grant: once it is revoked, they cannot be confirmed. */
  private void withdraw(String assistant, PrintWriter out) throws IOException {
    Confirming confirming =
        new Confirming(
            new AskedFor(state.directory().root()),
            command -> {
              throw new IllegalStateException("nothing is carried out here");
            },
            InstantSource.system());
    for (AssistantRequest waiting : confirming.waiting()) {
      if (waiting.assistant().equals(assistant)) {
        try {
          confirming.deny(waiting.id(), "its grant was taken back");
          out.println(waiting.id() + " is withdrawn");
        } catch (RefusedException e) {
          out.println(waiting.id() + ": " + e.getMessage());
        }
      }
    }
  }

  private void give(Grants grants, String name, PrintWriter out) throws IOException, CliException {
    if (!Grants.isName(name)) {
      throw new CliException(
          ExitCode.USAGE, name + ": expected letters, digits, '.', '-' or '_', at most 40");
    }
    if (scope == null) {
      throw new CliException(ExitCode.USAGE, "--scope is missing: read, propose or control");
    }
    Grant grant = new Grant(name, scope, Instant.now().plus(duration()));
    grants.give(grant, person(), Instant.now());
    out.println(line(grant, Instant.now()));
  }

  private static String person() {
    return System.getProperty("user.name", "unknown");
  }

  private Duration duration() throws CliException {
    try {
      Duration given = Duration.parse("PT" + time.strip().toUpperCase(Locale.ROOT));
      if (given.isPositive() && given.compareTo(LONGEST) <= 0) {
        return given;
      }
    } catch (DateTimeParseException e) {
      // The exception below reports it.
    }
    throw new CliException(
        ExitCode.USAGE, "--for " + time + ": expected a time such as 8h or 90m, at most 168h");
  }

  private void list(Grants grants, PrintWriter out) throws IOException {
    Instant now = Instant.now();
    if (json) {
      for (Grant grant : grants.all().values()) {
        out.println(
            Json.mapper()
                .writeValueAsString(
                    new GrantJson(
                        grant.name(),
                        LowerCase.of(grant.scope()),
                        grant.until(),
                        now.isBefore(grant.until()))));
      }
      return;
    }
    if (grants.all().isEmpty()) {
      out.println("nothing is granted; every assistant may only read");
    }
    grants.all().values().forEach(grant -> out.println(line(grant, now)));
  }

  private static String line(Grant grant, Instant now) {
    return now.isBefore(grant.until())
        ? "%s may %s until %s"
            .formatted(
                grant.name(),
                LowerCase.of(grant.scope()),
                grant.until().toString().substring(0, 16).replace('T', ' ') + " UTC")
        : grant.name() + " may only read: its grant has expired";
  }
}
