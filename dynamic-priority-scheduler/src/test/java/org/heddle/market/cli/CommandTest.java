// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.market.http.InMemoryMarket;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.http.auth.VoucherService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** heddle-market against a real ResourceManager. */
class CommandTest {
    private static MarketWebFixture server;

    @TempDir
    Path directory;

    private Path key;
    private String said = "";
    private String complained = "";

    @BeforeAll
    static void start() {
        server = new MarketWebFixture(Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void operatorsKey() throws Exception {
        server.show(new InMemoryMarket("alice", "bob"));
        Path master = Files.writeString(directory.resolve("master"), MarketWebFixture.MASTER + "\n");
        key = directory.resolve("operator");
        assertThat(run(
                        "keys",
                        "operator",
                        "--master-key-file",
                        master.toString(),
                        "--cluster",
                        "spruce",
                        "--save",
                        key.toString()))
                .isZero();
    }

    private int run(String... arguments) {
        return at(server.uri("").toString(), arguments);
    }

    private int at(String url, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = HeddleMarket.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err, true));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--url");
        all.add(url);
        if (!all.contains("--key-file") && !all.contains("--master-key-file")) {
            all.add("--key-file");
            all.add(key.toString());
        }
        int code = line.execute(all.toArray(new String[0]));
        said = out.toString();
        complained = err.toString();
        return code;
    }

    @Test
    void vouchersAreMadeFromTheKeyAlone() throws Exception {
        Path alicesKey = directory.resolve("alice");
        assertThat(run("keys", "create", "--owner", "alice", "--save", alicesKey.toString()))
                .isZero();
        key = alicesKey;
        assertThat(run("voucher", "alice", "--for", "bob", "--minutes", "5")).isZero();
        assertThat(said.strip()).matches("heddle-voucher-1-[a-z2-7]{63}");
        VoucherService vouchers = VoucherService.open(server.configuration(), server.market);
        vouchers.use(said.strip(), "application_1_0001", "alice", "bob", System.currentTimeMillis());
        assertThatThrownBy(() ->
                        vouchers.use(said.strip(), "application_1_0002", "alice", "bob", System.currentTimeMillis()))
                .hasMessageContaining("was used for application_1_0001");
        assertThat(run("voucher", "alice", "--minutes", "0")).isEqualTo(2);
        assertThat(complained).contains("--minutes 0: use 1 to 44640 (31 days)");
        assertThat(run("voucher")).isEqualTo(2);
        key = directory.resolve("nowhere");
        assertThat(run("voucher", "alice")).isEqualTo(2);
        assertThat(complained).contains("nowhere");
    }

    @Test
    void aBudgetFileIsImported() throws Exception {
        Path file = Files.writeString(directory.resolve("budgets"), "# team accounts\nalice 500 4\ncarol 20.5 0.25\n");
        assertThat(run("import", file.toString(), "--once", "october")).isZero();
        assertThat(said).startsWith("2 accounts imported from " + file + "; number ");
        assertThat(run("import", file.toString(), "--once", "october")).isZero();
        assertThat(said).contains("it was done before");
        assertThat(run("info", "carol")).isZero();
        assertThat(said.lines().skip(1)).first().asString().startsWith("carol      20.5  0.25 ");
        Files.writeString(file, "alice 1 1\ndave x 1\ndave\n");
        assertThat(run("import", file.toString())).isEqualTo(2);
        assertThat(complained).contains("nothing was imported", "line 2: ", "line 3: ");
        Files.writeString(file, "dave 1 1\nnew.queue 1 1\n");
        assertThat(run("import", file.toString())).isEqualTo(1);
        assertThat(run("info", "dave")).isEqualTo(1);
        Path alicesKey = directory.resolve("alice");
        assertThat(run("keys", "create", "--owner", "alice", "--save", alicesKey.toString()))
                .isZero();
        key = alicesKey;
        Files.writeString(file, "alice 1 1\n");
        assertThat(run("import", file.toString())).isEqualTo(1);
        assertThat(complained).contains("alice may not do this");
    }

    @Test
    void anAccountIsRunFromTheCommandLine() throws Exception {
        Path alicesKey = directory.resolve("alice");
        assertThat(run("keys", "create", "--owner", "alice", "--save", alicesKey.toString()))
                .isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(alicesKey)))
                .isEqualTo("rw-------");
        assertThat(run("pay", "alice", "500", "--text", "grant")).isZero();
        assertThat(said).startsWith("500 paid into alice; number 2 in the audit, applies from epoch 8 on");

        key = alicesKey;
        assertThat(run("bid", "alice", "4")).isZero();
        assertThat(run("bid", "root.alice", "4.5", "--once", "monday")).isZero();
        assertThat(run("bid", "root.alice", "4.5", "--once", "monday")).isZero();
        assertThat(said).contains("it was done before");
        assertThat(run("pay", "bob", "0.25", "--from", "alice")).isZero();
        assertThat(run("info", "alice")).isZero();
        assertThat(said.lines().toList())
                .containsExactly(
                        "account   budget  rate    share  used  pending   state  lasts",
                        "alice    1499.75   4.5  100.00%     1       43  paying    9 h");
        assertThat(run("statement", "alice")).isZero();
        assertThat(said).contains("deposit", "transfer-out", "-0.25", "grant");
        assertThat(run("quote", "alice", "4.5", "600")).isZero();
        assertThat(said).startsWith("cost 4 (3 to 6), time 10 min");
        assertThat(run("price")).isZero();
        assertThat(said)
                .startsWith("price 4.5 credits for a slot and 60 min; 9 of 15 slots in use; a slot-hour costs 0.3");
        assertThat(run("price", "--history", "24")).isZero();
        assertThat(said.lines()).hasSize(25);
        assertThat(run("price", "--forecast", "60")).isZero();
        assertThat(run("price", "--clusters")).isZero();
        assertThat(said).contains("spruce", "here");
        assertThat(run("info", "--json")).isZero();
        assertThat(said).startsWith("{\n  \"version\" : 1");

        assertThat(run("bid", "bob", "1")).isEqualTo(1);
        assertThat(complained)
                .isEqualTo("heddle-market: alice may not do this with bob; ask an administrator of the market\n");
        assertThat(run("bid", "alice", "much")).isEqualTo(1);
        assertThat(complained).contains("the spending rate 'much' is not a plain decimal number");
    }

    @Test
    void keysAreReplacedAndRevoked() throws Exception {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        run("keys", "create", "--owner", "bob", "--save", one.toString());
        key = one;
        assertThat(run("keys", "rotate", "bob/1", "--grace", "0", "--save", two.toString()))
                .isZero();
        assertThat(run("bid", "bob", "1")).isEqualTo(1);
        assertThat(complained).contains("the key bob/1 has expired");
        key = two;
        assertThat(run("bid", "bob", "1")).isZero();
        assertThat(run("keys")).isZero();
        assertThat(said).contains("bob/1", "bob/2", "yes", "no");
        assertThat(run("keys", "revoke", "bob/2")).isZero();
        assertThat(run("bid", "bob", "1")).isEqualTo(1);
        assertThat(complained).contains("the key bob/2 was revoked");
    }

    @Test
    void whatIsWrongIsToldInASentence() throws Exception {
        assertThat(at("http://127.0.0.1:1", "price")).isEqualTo(2);
        assertThat(complained).startsWith("heddle-market: http://127.0.0.1:1 cannot be reached");
        assertThat(at("ftp://x", "price")).isEqualTo(2);
        assertThat(complained).contains("'ftp://x' is not the address of a ResourceManager");
        for (String address : List.of("http://[::1", "http://a_b:1", "http://h:99999", "http://%", "http://h:x", "x")) {
            assertThat(at(address, "price")).as(address).isEqualTo(2);
            assertThat(complained).contains("'" + address + "' is not the address of a ResourceManager");
        }
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run("info")).isEqualTo(2);
        assertThat(complained).contains("other users can read this key; run chmod 600");
        assertThat(run("info", "--key-file", directory.resolve("none").toString()))
                .isEqualTo(2);
        assertThat(complained).contains("this key file cannot be read");
        Path old = Files.writeString(directory.resolve("old"), "heddle-market-key 9\n");
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-------"));
        assertThat(run("info", "--key-file", old.toString())).isEqualTo(2);
        assertThat(complained).contains("not a key file of a known version");
        assertThat(run("keys", "operator", "--master-key-file", old.toString(), "--cluster", "x", "--save", "y"))
                .isEqualTo(2);
        assertThat(complained).contains("the market's master key is not base64");
        assertThat(run("bid", "alice")).isEqualTo(2);
    }

    /** A standby sends its callers on; the command signs anew for where it is sent. And it tries the next address. */
    @Test
    void itFindsTheActiveResourceManager() throws Exception {
        HttpServer standby = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        standby.createContext("/", exchange -> {
            exchange.getResponseHeaders()
                    .set(
                            "Location",
                            server.uri(exchange.getRequestURI().toString()).toString());
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
        standby.start();
        try {
            String address = "http://127.0.0.1:" + standby.getAddress().getPort();
            assertThat(at("http://127.0.0.1:1," + address, "bid", "alice", "2")).isZero();
        } finally {
            standby.stop(0);
        }
    }
}
