// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.offers.yarn.AgentShell;
import org.heddle.settings.process.ProcessStart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents with and without a locale of UTF-8: text reaches tasks byte by byte, or the task is refused. */
class AgentLocaleTest {
    /** Two bytes of UTF-8, three and four. */
    private static final String WORD = "t\u00e2che \u20ac \ud83d\ude00";

    /** What {@code AgentLaunchContext} makes of a node without a locale. */
    private static final Map<String, String> WITHOUT_LOCALE =
            Map.of("LC_ALL", "C.UTF-8", ProcessStart.FORMER_LOCALE, "");

    private static final String NONE = "none";

    private static final long REQUEST = 7;

    @TempDir
    private Path directory;

    private static LaunchSpec task(String key, String sandbox, List<String> command, Map<String, String> environment) {
        return new LaunchSpec(key, sandbox, false, "", command, environment, List.of(), 0, 0, 0, List.of());
    }

    private static LaunchSpec printing(String sandbox) {
        return task(
                "task",
                sandbox,
                List.of(
                        "sh",
                        "-c",
                        "printf '%s|%s|%s|%s' \"$WORD\" \"$1\" \"${LC_ALL-none}\" \"${LANG-none}\"",
                        "sh",
                        WORD),
                Map.of("WORD", WORD));
    }

    private static DataInputStream event(ConnectedAgent agent, byte wanted) throws IOException {
        byte[] frame = agent.read();
        assertThat(frame[0]).isEqualTo(AgentProtocol.EVENT);
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1));
        fields.readLong();
        assertThat(fields.readByte()).isEqualTo(wanted);
        fields.readUTF();
        return fields;
    }

    /** What a request for files is answered; the message where it failed. */
    private static byte[] files(ConnectedAgent agent, byte kind, String path, boolean good) throws IOException {
        agent.send(FrameCodec.frame(kind, out -> {
            out.writeLong(REQUEST);
            FrameCodec.writeText(out, path);
            if (kind == AgentProtocol.READ) {
                out.writeLong(0);
                out.writeLong(1000);
            }
        }));
        byte[] frame = agent.read();
        assertThat(frame[0]).isEqualTo(AgentProtocol.REPLY);
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1));
        assertThat(fields.readLong()).isEqualTo(REQUEST);
        assertThat(fields.readBoolean()).isEqualTo(good);
        return FrameCodec.readBytes(fields);
    }

    @ParameterizedTest
    @CsvSource({"none, none", "POSIX, none", "none, POSIX", "none, C", "POSIX, C.UTF-8"})
    void aTaskGetsEveryByteAndTheNodesOwnLocale(String lang, String all) throws Exception {
        Map<String, String> node = new HashMap<>(Map.of("LANG", lang, "LC_ALL", all));
        node.values().removeIf(NONE::equals);
        try (ConnectedAgent agent = new ConnectedAgent(directory, node, AgentShell.LOCALE)) {
            agent.send(FrameCodec.launch(printing("tasks/" + WORD)));
            event(agent, AgentProtocol.STARTED);
            assertThat(event(agent, AgentProtocol.EXITED).readInt()).isZero();
            byte[] answer = files(agent, AgentProtocol.READ, "tasks/" + WORD + "/stdout", true);
            assertThat(new String(answer, StandardCharsets.UTF_8)).endsWith(WORD + "|" + WORD + "|" + all + "|" + lang);
            assertThat(new String(files(agent, AgentProtocol.LIST, "tasks", true), StandardCharsets.UTF_8))
                    .contains("tasks/" + WORD);
        }
    }

    @Test
    void aTaskMaySetItsOwnLocale() throws Exception {
        try (ConnectedAgent agent = new ConnectedAgent(directory, WITHOUT_LOCALE)) {
            agent.send(FrameCodec.launch(
                    task("task", "one", List.of("sh", "-c", "printf %s $LC_ALL"), Map.of("LC_ALL", "de_DE"))));
            event(agent, AgentProtocol.STARTED);
            event(agent, AgentProtocol.EXITED);
            assertThat(directory.resolve("sandboxes/one/stdout")).hasContent("de_DE");
        }
    }

    /** An old machine may have no C.UTF-8. */
    @ParameterizedTest
    @ValueSource(strings = {"POSIX", "C"})
    void anAgentThatCannotWriteTheTextRefusesTheTask(String locale) throws Exception {
        Files.createDirectories(directory.resolve("sandboxes/plain"));
        try (ConnectedAgent agent = new ConnectedAgent(directory, Map.of("LC_ALL", locale))) {
            agent.send(FrameCodec.launch(printing("plain")));
            assertThat(FrameCodec.readText(event(agent, AgentProtocol.NOT_STARTED)))
                    .contains(" has the character U+00E2, which US-ASCII does not have");
            agent.send(FrameCodec.launch(task("other", "tasks/" + WORD, List.of("true"), Map.of())));
            assertThat(FrameCodec.readText(event(agent, AgentProtocol.NOT_STARTED)))
                    .startsWith("the file name 'tasks/" + WORD + "' has the character U+00E2");
            agent.send(FrameCodec.launch(checked(WORD)));
            assertThat(FrameCodec.readText(event(agent, AgentProtocol.NOT_STARTED)))
                    .startsWith("the argument '" + WORD + "' has the character U+00E2");
            assertThat(new String(files(agent, AgentProtocol.LIST, "d\u00e9", false), StandardCharsets.UTF_8))
                    .contains("the file name 'd\u00e9' has the character U+00E9");
            assertThat(new String(files(agent, AgentProtocol.READ, "a\0b", false), StandardCharsets.UTF_8))
                    .contains("is not allowed");
            files(agent, AgentProtocol.LIST, "plain", true);
        }
    }

    private static LaunchSpec checked(String argument) {
        Probe check = new Probe(true, List.of("test", argument), 0, "", 0, 1000, 1000, 1, 0);
        return new LaunchSpec(
                "checked", "plain", false, "", List.of("true"), Map.of(), List.of(), 0, 0, 0, List.of(check));
    }
}
