package io.nightsweep.chat;

import io.nightsweep.fuzz.Scratch;
import org.telegram.telegrambots.meta.exceptions.TelegramApiRequestException;

/** Reads an answer of Telegram, of any bytes, update by update. */
public final class UpdatesFuzz {
  private UpdatesFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    String said = Scratch.text(input);
    Scratch.check(Intent.of(said) != null && Press.parse(said) != null, said);
    try {
      new UpdatesRequest(0, 1)
          .deserializeResponse(said)
          .forEach(update -> Scratch.check(update.getUpdateId() != null, said));
    } catch (TelegramApiRequestException refused) {
      Scratch.check(refused.getMessage() != null, refused);
    }
  }
}
