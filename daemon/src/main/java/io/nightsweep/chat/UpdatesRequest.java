package io.nightsweep.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.telegram.telegrambots.meta.api.methods.updates.GetUpdates;
import org.telegram.telegrambots.meta.api.objects.Update;
import org.telegram.telegrambots.meta.exceptions.TelegramApiRequestException;

/**
 * Requests updates and reads each of them separately. The library reads all or none, so one update
 * of an unknown kind would block every later command.
 */
final class UpdatesRequest extends GetUpdates {
  private static final long serialVersionUID = 1L;
  private static final Logger log = LoggerFactory.getLogger(UpdatesRequest.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> KINDS = List.of("message", "callback_query");

  /**
   * @param offset the first update to fetch; this confirms those before it
   */
  UpdatesRequest(int offset, int timeoutSeconds) {
    setOffset(offset);
    setTimeout(timeoutSeconds);
    setAllowedUpdates(KINDS);
  }

  /** The updates; an unreadable one keeps its number and is otherwise empty. */
  @Override
  @SuppressWarnings("NonApiType") // the library's own signature
  public ArrayList<Update> deserializeResponse(String answer) throws TelegramApiRequestException {
    JsonNode whole;
    try {
      whole = JSON.readTree(answer);
    } catch (JsonProcessingException e) {
      throw new TelegramApiRequestException("an answer that is not JSON", e);
    }
    JsonNode result = whole.path("result");
    if (!result.isArray()) {
      // The library assumes that an answer has this field.
      if (!whole.path("ok").isBoolean()) {
        throw new TelegramApiRequestException("an answer that the Bot API does not give");
      }
      ArrayList<Update> none = super.deserializeResponse(answer);
      if (none == null) {
        throw new TelegramApiRequestException("an answer without updates");
      }
      return none;
    }
    ArrayList<Update> updates = new ArrayList<>();
    for (JsonNode element : result) {
      JsonNode number = element.path("update_id");
      // A wrong number could move the offset so far that no further update would be read.
      if (number.isInt() && number.intValue() >= 0 && number.intValue() <= Offset.MOST) {
        updates.add(read(element, number.intValue()));
      }
    }
    return updates;
  }

  private static Update read(JsonNode element, int number) {
    try {
      return JSON.treeToValue(element, Update.class);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      log.warn("Telegram: update {} cannot be read and is ignored", number);
      Update unread = new Update();
      unread.setUpdateId(number);
      return unread;
    }
  }
}
