package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** Rewrites the texts of a JSON tree at any depth; numbers and structure stay unchanged. */
public final class JsonTexts {
  /** The field name for a text outside a field: the whole tree, or an item of an array. */
  public static final String NO_FIELD = "";

  private JsonTexts() {}

  /**
   * @param name returns the new name of a field, given the old one
   * @param text returns the new text, given the old name of its field and the old text
   */
  public static JsonNode rewritten(
      JsonNode tree, UnaryOperator<String> name, BinaryOperator<String> text) {
    return rewritten(NO_FIELD, tree, name, text);
  }

  private static JsonNode rewritten(
      String field, JsonNode node, UnaryOperator<String> name, BinaryOperator<String> text) {
    return switch (node) {
      case TextNode leaf -> TextNode.valueOf(text.apply(field, leaf.textValue()));
      case ObjectNode object -> {
        ObjectNode copy = object.objectNode();
        object
            .properties()
            .forEach(
                p ->
                    copy.set(
                        name.apply(p.getKey()), rewritten(p.getKey(), p.getValue(), name, text)));
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = array.arrayNode();
        array.forEach(item -> copy.add(rewritten(NO_FIELD, item, name, text)));
        yield copy;
      }
      default -> node;
    };
  }
}
