// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One tab of a headless Chromium, driven over its DevTools protocol by one thread. */
public final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LISTENING = "DevTools listening on ";
    private static final long PATIENCE_SECONDS = 120;
    private static final long PAUSE_NANOS = 20_000_000;

    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final String session;
    private int lastId;

    public Browser(Path chromium, Path profile) throws IOException, InterruptedException {
        process = new ProcessBuilder(
                        chromium.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(devTools()), new Messages())
                .join();
        String target = call("Target.createTarget", "url", "about:blank")
                .get("targetId")
                .asText();
        ObjectNode attach = JSON.createObjectNode().put("targetId", target).put("flatten", true);
        session = call(null, "Target.attachToTarget", attach).get("sessionId").asText();
        call("Page.enable", "", "");
        call("Runtime.enable", "", "");
        call("Log.enable", "", "");
    }

    /** What the console and the page's policy complained of so far. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    public void forgetComplaints() {
        complaints.clear();
    }

    public void size(int width, int height) throws InterruptedException {
        ObjectNode metrics = JSON.createObjectNode()
                .put("width", width)
                .put("height", height)
                .put("deviceScaleFactor", 1)
                .put("mobile", width < 600);
        call(session, "Emulation.setDeviceMetricsOverride", metrics);
    }

    /** Whether the browser prefers dark pages. */
    public void dark(boolean dark) throws InterruptedException {
        ObjectNode media = JSON.createObjectNode();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        call(session, "Emulation.setEmulatedMedia", media);
    }

    public void open(URI page) throws InterruptedException {
        call("Page.navigate", "url", page.toString());
    }

    /** The value of a JavaScript expression. */
    public JsonNode evaluate(String expression) throws InterruptedException {
        ObjectNode arguments =
                JSON.createObjectNode().put("expression", expression).put("returnByValue", true);
        return call(session, "Runtime.evaluate", arguments).at("/result/value");
    }

    /** Polls until the expression is true. */
    public void await(String expression) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!evaluate(expression).asBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "never became true: " + expression + "; the page says: " + evaluate("document.body.innerText"));
            }
            LockSupport.parkNanos(PAUSE_NANOS); // the page needs the processor
        }
    }

    public void screenshot(Path file) throws IOException, InterruptedException {
        String image =
                call("Page.captureScreenshot", "format", "png").get("data").asText();
        Files.write(file, Base64.getDecoder().decode(image));
    }

    private JsonNode call(String method, String name, String value) throws InterruptedException {
        ObjectNode arguments = JSON.createObjectNode();
        if (!name.isEmpty()) {
            arguments.put(name, value);
        }
        return call(method.startsWith("Target.") ? null : session, method, arguments);
    }

    private JsonNode call(@Nullable String inSession, String method, ObjectNode arguments) throws InterruptedException {
        int id = ++lastId;
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", arguments);
        if (inSession != null) {
            message.put("sessionId", inSession);
        }
        socket.sendText(message.toString(), true).join();
        while (true) {
            JsonNode answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("Chromium did not answer " + message);
            }
            if (answer.get("id").asInt() == id) {
                if (answer.has("error")) {
                    throw new AssertionError("Chromium refused " + message + ": " + answer);
                }
                return answer.get("result");
            }
        }
    }

    private String devTools() throws IOException {
        // It may hang before it says anything, and reading from it cannot be interrupted.
        CompletableFuture<Void> deadline = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS));
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(LISTENING)) {
                deadline.cancel(false);
                return line.substring(LISTENING.length());
            }
            said.append(line).append('\n');
        }
        throw new IOException("Chromium did not start: " + said);
    }

    @Override
    public void close() {
        // Some outlive it for a moment, and write into the profile, which the test deletes next
        List<ProcessHandle> helpers = process.descendants().toList();
        process.destroy();
        process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        helpers.forEach(ProcessHandle::destroyForcibly);
    }

    private final class Messages implements WebSocket.Listener {
        private final StringBuilder partial = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            partial.append(data);
            if (last) {
                accept(partial.toString());
                partial.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void accept(String text) {
            JsonNode message;
            try {
                message = JSON.readTree(text);
            } catch (IOException e) {
                throw new IllegalStateException("Chromium sent something that is no JSON: " + text, e);
            }
            String method = message.path("method").asText();
            if (message.has("id")) {
                answers.add(message);
            } else if (method.equals("Runtime.exceptionThrown")
                    || method.equals("Page.javascriptDialogOpening")
                    || (method.equals("Log.entryAdded")
                            && message.at("/params/entry/level").asText().equals("error"))) {
                complaints.add(message.get("params").toString());
            }
        }
    }
}
