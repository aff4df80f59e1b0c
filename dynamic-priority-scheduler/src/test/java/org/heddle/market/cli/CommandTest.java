// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.http.auth.VoucherService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** heddle market against a real ResourceManager. */
class CommandTest {
    private static MarketWebFixture server;

    @TempDir
    Path directory;

    private Path key;
    private String said = "";
    private String complained = "";

    @BeforeAll
    static void start() throws Exception {
        server = new MarketWebFixture(Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void operatorsKey() throws Exception {
        server.show("alice", "bob");
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
        if (!url.isEmpty()) {
            all.add("--url");
            all.add(url);
        }
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
        assertThat(complained).contains("--minutes 0m: use 1m to 31d");
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
        assertThat(said).startsWith("500 paid into alice; number 2 in the audit, applies from epoch 122 on");

        key = alicesKey;
        assertThat(run("bid", "alice", "4")).isZero();
        assertThat(run("bid", "root.alice", "4.5", "--once", "monday")).isZero();
        assertThat(run("bid", "root.alice", "4.5", "--once", "monday")).isZero();
        assertThat(said).contains("it was done before");
        assertThat(run("pay", "bob", "0.25", "--from", "alice")).isZero();
        server.books.turn();
        assertThat(run("info", "alice")).isZero();
        assertThat(said.lines().toList())
                .containsExactly(
                        "account   budget  rate    share  used  pending   state  lasts",
                        "alice    1499.75   4.5  100.00%     1       43  paying   13 d");
        assertThat(run("statement", "alice")).isZero();
        assertThat(said).contains("deposit", "transfer-out", "-0.25", "grant");
        assertThat(run("quote", "alice", "4.5", "600")).isZero();
        assertThat(said).startsWith("cost 0.75");
        assertThat(run(
                        "quote",
                        "alice",
                        "--tasks",
                        "400",
                        "--task-seconds",
                        "90",
                        "--stage",
                        "20x5s@0.5",
                        "--finish",
                        "2h"))
                .isZero();
        assertThat(said)
                .contains(
                        "at rate 4.5",
                        "a slot costs the rate, 4.5, for each rate unit",
                        " is needed to finish by 2h in 19 of 20 cases");
        assertThat(run("quote", "alice")).isEqualTo(2);
        assertThat(complained).contains("the work is missing; give SLOT-SECONDS, --tasks and --task-seconds");
        assertThat(run("quote", "alice", "1", "--stage", "many")).isEqualTo(2);
        assertThat(run("quote", "alice", "1", "60", "--finish", "soon")).isEqualTo(2);
        assertThat(complained).contains("'soon' is not a time; write for example 18:00, 90m, 2h");
        assertThat(run("watch", "--count", "1")).isZero();
        assertThat(said.lines()).hasSize(2);
        assertThat(said).contains("balance", "1499.75", "4.5", "100.00%");
        assertThat(run("agent", "deadline", "--finish", "2020-01-01T00:00", "--tag", "x"))
                .isEqualTo(2);
        assertThat(complained).contains("--finish 2020-01-01T00:00 is over; give a later time");
        assertThat(run("agent", "deadline", "--finish", "2h")).isEqualTo(2);
        assertThat(complained).contains("give the job with exactly one of --application, --tag and --name");
        assertThat(run("price")).isZero();
        assertThat(said)
                .startsWith(
                        "price 4.5, the sum of the rates of all accounts that pay; 3 of 15 slots in use; a rate r gets"
                                + " r / 4.5 x 15 slots, and costs r credits for each slot and 60 min; epoch ");
        assertThat(run("price", "--history", "24")).isZero();
        assertThat(said.lines()).hasSizeBetween(20, 25);
        assertThat(run("price", "--forecast", "60")).isZero();
        assertThat(run("info", "--json")).isZero();
        assertThat(said).startsWith("{\n  \"version\" : 1");

        assertThat(run("bid", "bob", "1")).isEqualTo(1);
        assertThat(complained)
                .isEqualTo("heddle market: alice may not do this with bob; ask an administrator of the market\n");
        assertThat(run("bid", "alice", "much")).isEqualTo(1);
        assertThat(complained).contains("the spending rate 'much' is not a plain decimal number");
    }

    @Test
    void accountsAndIncomesAreManagedFromTheCommandLine() throws Exception {
        assertThat(run("pay", "carol", "10")).isEqualTo(1);
        assertThat(run("open", "carol")).isZero();
        assertThat(said).startsWith("carol is open; number ");
        assertThat(run("pay", "carol", "10", "--text", "gift")).isZero();
        assertThat(run("withdraw", "carol", "4", "--text", "typing error")).isZero();
        assertThat(said).startsWith("4 taken out of carol, which has 6 now; number ");
        assertThat(run("withdraw", "carol", "7")).isEqualTo(1);

        assertThat(run("income", "set", "daily", "100", "alice=2", "carol=1", "--cap", "500"))
                .isZero();
        assertThat(said).startsWith("income daily pays 100 every 1d; number ");
        assertThat(run("income", "set", "weekly", "7", "bob=1", "--every", "7d", "--start", "2126-12-01"))
                .isZero();
        assertThat(run("income")).isZero();
        assertThat(said.lines().skip(1).map(line -> line.replaceAll(" +", " ")))
                .first()
                .asString()
                .startsWith("daily 100 1d ")
                .endsWith("Z 500 all alice=2 carol=1");
        assertThat(said.replaceAll(" +", " ")).contains("weekly 7 7d 2126-12-01T00:00:00Z none all bob=1");
        assertThat(run(
                        "income",
                        "set",
                        "monthly",
                        "3",
                        "bob=1",
                        "--every",
                        "month",
                        "--zone",
                        "Europe/Berlin",
                        "--per-slot",
                        "--roll-over",
                        "0"))
                .isZero();
        assertThat(said).startsWith("income monthly pays 3 a slot every month; number ");
        assertThat(run("income")).isZero();
        assertThat(said.replaceAll(" +", " "))
                .contains("monthly 3 a slot month, Europe/Berlin ")
                .contains(" none 0 bob=1");
        assertThat(run("income", "set", "slip", "1", "bob=1", "--every", "month", "--zone", "Mars"))
                .isEqualTo(1);
        assertThat(complained).contains("'Mars' is no time zone; use UTC or one such as Europe/Berlin");
        assertThat(run("income", "set", "slip", "1", "bob=1", "--zone", "UTC")).isEqualTo(2);
        assertThat(complained).contains("--zone is the zone of months; use it with --every month");
        assertThat(run("income", "set", "slip", "1", "bob=1", "--every", "soon"))
                .isEqualTo(2);
        assertThat(complained).contains("--every 'soon': must be month, or a duration such as 15s");
        assertThat(run("income", "set", "slip", "1", "bob=1", "--start", "noon"))
                .isEqualTo(2);
        assertThat(complained).contains("--start noon: write a date or a time in UTC");
        assertThat(run("income", "remove", "daily")).isZero();
        assertThat(run("income", "remove", "daily")).isEqualTo(1);

        assertThat(run("statement", "carol", "--csv")).isZero();
        assertThat(said)
                .startsWith("sequence,at,kind,epoch,amount,balance,rate,slotMillis,text\r\n")
                .contains(",withdrawal,0,-4,6,0,0,\"typing error\"\r\n");
        assertThat(said.lines()).hasSize(3);
        assertThat(run("statement", "carol", "--from", "yesterday")).isEqualTo(2);
        assertThat(complained).contains("--from yesterday: write a date or a time in UTC");
        assertThat(run("statement", "nobody", "--csv")).isEqualTo(1);
        assertThat(complained).contains("nobody");

        assertThat(run(
                        "report",
                        "carol",
                        "--month",
                        YearMonth.now(ZoneOffset.UTC).toString()))
                .isZero();
        assertThat(said.lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "account deposits income transfers in paid out charged refunded waived slot-hours last balance",
                        "carol 10 0 0 4 0 0 0 0 6",
                        "total 10 0 0 4 0 0 0 0 -");
        assertThat(run("report", "--month", "1999-01", "--csv")).isZero();
        assertThat(said.split("\r\n", -1))
                .startsWith(
                        "account,deposits,income,transfers in,paid out,charged,refunded,waived,slot-hours,last balance",
                        "alice,0,0,0,0,0,0,0,0,-");
        run("bid", "alice", "3.6");
        server.books.turn();
        server.books.turn();
        String month = YearMonth.now(ZoneOffset.UTC).toString();
        assertThat(run("report", "alice", "--month", month, "--applications", "--csv"))
                .isZero();
        assertThat(said.split("\r\n", -1))
                .containsExactly(
                        "account,name,user,runs,slot-hours,charged",
                        "alice,\"'=nightly\",alice,1,0.004,0.015",
                        "alice,\"(others)\",,-,0.001,0.005",
                        "");
        assertThat(run("report", "alice", "--month", month, "--json")).isZero();
        assertThat(new ObjectMapper()
                        .readTree(said)
                        .at("/accounts/0/applications/0/charged")
                        .asText())
                .isEqualTo("0.015");
        assertThat(run("refund", "alice", "0.015", "--application", "application_1_0001", "--text", "lost node"))
                .isZero();
        assertThat(said).startsWith("0.015 refunded to alice for application_1_0001; number ");
        assertThat(run("statement", "alice")).isZero();
        assertThat(said.lines().map(line -> line.replaceAll(" +", " ")))
                .anyMatch(line -> line.contains(" refund 0.015 ") && line.endsWith("application_1_0001: lost node"));
        assertThat(run("report", "alice", "--month", month)).isZero();
        assertThat(said.replaceAll(" +", " ")).contains("alice 1000 0 0 0 0.02 0.015 0 0.006 ");
        assertThat(run("refund", "alice", "5", "--application", "application_1_0001"))
                .isEqualTo(1);
        assertThat(complained).contains("A refund of 5 is more than all that was charged, 0.005; use a smaller amount");
        assertThat(run("refund", "alice", "0.001", "--application", "nightly")).isEqualTo(1);
        assertThat(complained).contains("is no id of an application");
        assertThat(run("statement", "alice", "--applications")).isZero();
        assertThat(said).contains("application_1_0001", "=nightly", "(others)", "0.005");
        assertThat(run("statement", "alice", "--applications", "--csv")).isZero();
        assertThat(said)
                .startsWith("application,name,user,count,first,last,slotMillis,charged\r\n")
                .contains("\napplication_1_0001,\"'=nightly\",\"alice\",1,");
        assertThat(run("report", "--month", "May")).isEqualTo(2);
        assertThat(complained).contains("--month May: write a year and a month");

        assertThat(run("members", "carol", "--set", "dave=manager", "--set", "erin=reader"))
                .isZero();
        assertThat(run("members", "carol", "--remove", "erin")).isZero();
        assertThat(run("members", "carol")).isZero();
        assertThat(said.lines().map(line -> line.replaceAll(" +", " "))).containsExactly("user role", "dave manager");
        assertThat(run("members", "carol", "--set", "dave=king")).isEqualTo(1);
        assertThat(complained).contains("'king' is no role of an account; use reader, manager or owner");
        assertThat(run("members", "carol", "--set", "dave")).isEqualTo(2);
        assertThat(complained).contains("--set dave: write USER=ROLE, for example dave=reader");

        assertThat(run("audit", "--most", "3")).isZero();
        assertThat(said.lines().skip(1).map(line -> line.replaceAll(" +", " ")))
                .hasSize(3)
                .first()
                .asString()
                .contains(" heddle.operator 127.0.0.1 add-queue carol");
        assertThat(run("close", "carol")).isZero();
        assertThat(said).startsWith("carol is closed; ");
        assertThat(run("close", "carol")).isEqualTo(1);
        assertThat(run("statement", "carol")).isZero();
        assertThat(said).contains("gift", "closed");
        assertThat(run("report", "--month", YearMonth.now(ZoneOffset.UTC).toString()))
                .isZero();
        assertThat(said.lines().map(line -> line.replaceAll(" +", " ")))
                .anyMatch(line -> line.matches("carol~[0-9]+ 10 0 0 10 0 0 0 0 0"));
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
        assertThat(complained)
                .startsWith(
                        "heddle market: there is no answer from http://127.0.0.1:1: the connection was refused; give"
                                + " another");
        assertThat(at("ftp://x", "price")).isEqualTo(2);
        assertThat(complained).contains("'ftp://x' is not a web address");
        for (String address : List.of("http://[::1", "http://a_b:1", "http://h:99999", "http://%", "http://h:x", "x")) {
            assertThat(at(address, "price")).as(address).isEqualTo(2);
            assertThat(complained).contains("'" + address + "' is not a web address");
        }
        assertThat(run("quote", "alice", "1", "--tasks", "0", "--task-seconds", "5"))
                .isEqualTo(2);
        assertThat(complained).contains("--tasks 0 must be above 0");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run("info")).isEqualTo(2);
        assertThat(complained).contains("other users can read this key; run chmod 600");
        assertThat(run("info", "--key-file", directory.resolve("none").toString()))
                .isEqualTo(2);
        assertThat(complained).contains("this key file cannot be read");
        Path old = Files.writeString(directory.resolve("old"), "heddle-market-key 9\n");
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run("info", "--key-file", old.toString())).isEqualTo(2);
        assertThat(complained).contains("not a key file of a known version").doesNotContain("chmod");
        assertThat(run("keys", "operator", "--master-key-file", old.toString(), "--cluster", "x", "--save", "y"))
                .isEqualTo(2);
        assertThat(complained).contains("the market's master key is not base64");
        assertThat(run("bid", "alice")).isEqualTo(2);
        assertThat(complained.lines())
                .containsExactly("heddle market: missing required parameter: 'RATE'; see heddle market bid --help");
        assertThat(run("price", "--history", "day")).isEqualTo(2);
        assertThat(complained)
                .contains("'--history': 'day': must be a duration such as 500ms, 15s, 5m or 2h, or a number of hours;"
                        + " see heddle market price --help");
        Path latin = Files.write(directory.resolve("latin"), new byte[] {'m', (byte) 0xfc, '\n'});
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertThat(run("import", latin.toString())).isEqualTo(2);
        assertThat(complained).contains("this is not a text in UTF-8");
        assertThat(run("agent", "budget", "--spend", "1", "--until", "2h", "--log", latin.resolve("x") + ""))
                .isEqualTo(2);
        assertThat(complained).contains("latin/x cannot be written");
    }

    @Test
    void aKeyFileNamesTheMarketAndNoKeyIsMadeInVain() {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        assertThat(run("keys", "create", "--owner", "bob", "--save", one.toString()))
                .isZero();
        key = one;
        assertThat(at("", "keys", "create", "--save", two.toString())).isZero();
        assertThat(at("", "keys", "create", "--save", two.toString())).isEqualTo(2);
        assertThat(complained).contains("two: this key file exists already");
        assertThat(at("", "keys", "rotate", "bob/1", "--save", two.toString())).isEqualTo(2);
        assertThat(at("", "keys")).isZero();
        assertThat(said).contains("bob/1", "bob/2").doesNotContain("bob/3");
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

    @Test
    void monthsOfAReportAreThoseOfItsZone() throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        HttpServer market = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        market.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getQuery());
            byte[] answer = "{\"version\":1,\"lines\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        market.start();
        try {
            String address = "http://127.0.0.1:" + market.getAddress().getPort();
            assertThat(at(address, "report", "alice", "--month", "2026-10", "--zone", "Europe/Berlin"))
                    .as(complained)
                    .isZero();
            assertThat(at(address, "report", "alice", "--month", "2026-10", "--zone", "Mars"))
                    .isEqualTo(2);
        } finally {
            market.stop(0);
        }
        assertThat(complained).contains("--zone Mars: write UTC or a zone such as Europe/Berlin");
        long from = Instant.parse("2026-09-30T22:00:00Z").toEpochMilli();
        long to = Instant.parse("2026-10-31T23:00:00Z").toEpochMilli();
        assertThat(asked).singleElement().asString().startsWith("from=" + from + "&to=" + to + "&");
    }
}
