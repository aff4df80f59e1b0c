// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;
import org.junit.jupiter.api.Test;

/**
 * Invalid requests, over plain sockets to a real ResourceManager. No answer has status 500, contains a secret or shows
 * a stack trace, and afterwards the process holds no more memory than before. Some are signed by an administrator, so
 * that they reach everything. As many as {@code heddle.fuzz.requests} says.
 */
class RequestFuzzTest {
    private static final int REQUESTS = Integer.getInteger("heddle.fuzz.requests", 4_000);
    private static final int FRESH_AFTER = 2_000;
    private static final long SEED = Long.getLong("heddle.fuzz.seed", 20_261_121L);

    private static final List<String> PATHS = List.of(
            "price",
            "time",
            "status",
            "prices",
            "forecast",
            "whoami",
            "accounts",
            "accounts/alice",
            "accounts/alice/rate",
            "accounts/alice/deposits",
            "accounts/alice/withdrawals",
            "accounts/alice/statement",
            "accounts/bob/balances",
            "transfers",
            "quotes",
            "incomes",
            "incomes/x",
            "audit",
            "keys",
            "keys/alice/1",
            "keys/alice/1/rotation",
            "accounts/%2e%2e/x",
            "accounts/%00",
            "accounts/a%2Fb",
            "..",
            "",
            "accounts//",
            "price;x=1");
    private static final List<String> QUERIES = List.of(
            "",
            "",
            "?from=0",
            "?from=-1&to=99999999999999999999",
            "?points=1000",
            "?most=1000&after=5",
            "?minutes=7",
            "?points=%31",
            "?points=%zz",
            "?a=%ff",
            "?x=<script>",
            "?points=1&points=2",
            "?&&&",
            "?=",
            "?user.name=root");
    private static final List<String> PAPERS = List.of(
            "price",
            "time",
            "infos",
            "info=alice",
            "info=%00",
            "setSpending=1&queue=alice",
            "setSpending=x&queue=alice",
            "addBudget=1e400&queue=bob",
            "addBudget=9223372036&queue=bob",
            "addQueue=%3Cx%3E",
            "addQueue=x&queue=y",
            "removeQueue=bob",
            "info",
            "",
            "price=&price=",
            "setSpending=1&queue=%C3%28",
            "info=alice&user=a&timestamp=1");
    private static final List<String> BODIES = List.of(
            "",
            "{}",
            "[]",
            "{",
            "null",
            "{\"rate\":\"1\"}",
            "{\"rate\":1e999999999}",
            "{\"rate\":\"-0\"}",
            "{\"amount\":\"5\",\"text\":\"\\u0000\"}",
            "{\"amount\":\"9223372036.854775807\"}",
            "{\"name\":\"z\"}",
            "{\"name\":\"\\ud800\"}",
            "{\"from\":\"alice\",\"to\":\"alice\",\"amount\":\"1\"}",
            "{\"account\":\"alice\",\"rate\":\"1\",\"slotSeconds\":1099511627776}",
            "{\"total\":\"1\",\"everySeconds\":1,\"weights\":{\"alice\":99999999999}}",
            "{\"total\":\"1\",\"everySeconds\":1,\"weights\":{\"alice\":1},\"startMillis\":0}",
            "{\"owner\":\"alice\",\"role\":\"admin\",\"days\":3650}",
            "{\"graceSeconds\":0}",
            "{\"a\":{\"b\":{\"c\":1}}}",
            "\u00ff\u00fe",
            "{\"rate\":\"1\"}{\"rate\":\"2\"}",
            "[[[[[[[[[[[[[[[[");
    private static final List<String> METHODS =
            List.of("GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "QUX");
    private static final List<String> ACCEPTS =
            List.of("", "application/json", "text/xml", "text/csv", "*/*", ",,,;q=", "text/html,a/b;q=x");

    private final Random random = new Random(SEED);

    @Test
    void nothingIsAnsweredWith500AndNothingIsTold() throws Exception {
        Map<Integer, Integer> statuses = new TreeMap<>();
        try (MarketWebFixture server = new MarketWebFixture(Map.of())) {
            Held before = null;
            for (int i = 0; i < REQUESTS; i++) {
                if (i % FRESH_AFTER == 0) {
                    server.show("alice", "bob");
                }
                if (i == FRESH_AFTER) {
                    before = Held.now();
                }
                byte[] request = request(server);
                String answer = send(server, request);
                int status = answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
                statuses.merge(status, 1, Integer::sum);
                String context = "seed " + SEED + ", request " + i + ":\n"
                        + new String(request, StandardCharsets.ISO_8859_1) + "\n" + answer;
                assertThat(status).as(context).isNotEqualTo(500).isLessThan(504);
                assertThat(answer).as(context).doesNotContain(MarketWebFixture.MASTER, "at org.", "java.", "Exception");
            }
            if (before != null) {
                assertThat(Held.now()).as("held, before %s", before).satisfies(before::isAbout);
            }
        }
        assertThat(statuses.keySet()).as(statuses.toString()).contains(200, 201, 400, 401, 404, 405, 409);
    }

    /** What could leak: live heap, threads, open files and sockets. */
    private record Held(long megabytes, int threads, long files) {
        static Held now() {
            MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
            memory.gc();
            UnixOperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
            return new Held(
                    memory.getHeapMemoryUsage().getUsed() >> 20,
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    system.getOpenFileDescriptorCount());
        }

        void isAbout(Held later) {
            assertThat(later.megabytes()).isLessThan(megabytes + 64);
            assertThat(later.threads()).isLessThan(threads + 100);
            assertThat(later.files()).isLessThan(files + 200);
        }
    }

    private byte[] request(MarketWebFixture server) throws Exception {
        boolean paper = random.nextInt(4) == 0;
        String method = paper && random.nextInt(10) > 0 ? "GET" : pick(METHODS);
        String path = paper
                ? "/scheduler?" + pick(PAPERS)
                : "/heddle/market/v1/" + pick(PATHS) + (random.nextInt(3) == 0 ? pick(QUERIES) : "");
        if (random.nextInt(15) == 0) {
            path = bend(path).replaceAll("[\\s\\x00-\\x20]", "");
        }
        String body = method.equals("GET") || method.equals("HEAD") ? "" : pick(BODIES);
        if (random.nextInt(10) == 0) {
            body = bend(body);
        }
        StringBuilder fields = new StringBuilder();
        String accept = pick(ACCEPTS);
        if (!accept.isEmpty()) {
            fields.append("Accept: ").append(accept).append("\r\n");
        }
        byte[] content = body.getBytes(StandardCharsets.ISO_8859_1);
        boolean isJson = random.nextInt(10) > 0;
        if (content.length > 0) {
            fields.append("Content-Type: ")
                    .append(isJson ? "application/json" : "text/plain")
                    .append("\r\n");
        }
        int how = random.nextInt(4);
        if (how > 0) {
            sign(server, method, path, body, content, isJson)
                    .forEach((name, value) -> fields.append(name)
                            .append(": ")
                            .append(how == 3 && random.nextInt(6) == 0 ? oneLine(bend(value)) : value)
                            .append("\r\n"));
        } else if (random.nextInt(3) == 0) {
            fields.append("X-XSRF-Header: x\r\n");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write((method + " " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: "
                        + content.length + "\r\n" + fields + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        out.write(content);
        return out.toByteArray();
    }

    private Map<String, String> sign(
            MarketWebFixture server, String method, String path, String body, byte[] content, boolean isJson)
            throws Exception {
        RequestSigner operator = server.operator();
        int question = path.indexOf('?');
        if (!path.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return Map.of();
        }
        return operator.sign(
                new RequestParts(
                        method,
                        "http",
                        "h",
                        question < 0 ? path : path.substring(0, question),
                        question < 0 ? null : path.substring(question + 1),
                        body.isEmpty()
                                ? Map.of()
                                : Map.of("content-type", List.of(isJson ? "application/json" : "text/plain")),
                        content),
                System.currentTimeMillis() / 1_000);
    }

    private static String oneLine(String value) {
        return value.replaceAll("[\\r\\n]", " ");
    }

    private String bend(String text) {
        StringBuilder bent = new StringBuilder(text);
        for (int i = 0; i <= random.nextInt(3); i++) {
            int at = random.nextInt(bent.length() + 1);
            char c = (char) (random.nextInt(4) == 0 ? random.nextInt(256) : 33 + random.nextInt(94));
            if (at < bent.length() && random.nextBoolean()) {
                bent.setCharAt(at, c);
            } else {
                bent.insert(at, c);
            }
        }
        return bent.toString();
    }

    private String pick(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static String send(MarketWebFixture server, byte[] request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.uri("").getPort())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(request);
            out.flush();
            InputStream in = socket.getInputStream();
            String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return answer.toLowerCase(Locale.ROOT).startsWith("http") ? answer : "";
        }
    }
}
