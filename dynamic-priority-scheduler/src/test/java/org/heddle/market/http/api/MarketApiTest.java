// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.oas.OpenApi30;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.heddle.market.http.MarketServices;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.http.UnfinishedRequests;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.http.config.WebLimits;
import org.heddle.market.http.config.WebSettings;
import org.heddle.market.model.change.AccountRole;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.RateLimits;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;
import org.heddle.testkit.Await;
import org.heddle.testkit.attack.SlowClients;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The JSON API in a real ResourceManager; every answer is checked against the OpenAPI file. */
@Tag("newer-line")
class MarketApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String V1 = "/heddle/market/v1/";
    private static final String RATE = V1 + "accounts/alice/rate";
    private static final String FILE = "classpath:org/heddle/market/http/pages/openapi.json";
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(
            VersionFlag.V4,
            builder -> builder.metaSchema(OpenApi30.getInstance())
                    .defaultMetaSchemaIri(OpenApi30.getInstance().getIri()));

    private static MarketWebFixture server;

    @BeforeAll
    static void start() throws Exception {
        server = new MarketWebFixture(Map.of(
                WebKeys.AUDITORS.name(), "dan",
                WebKeys.VIEWERS.name(), "eve"));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void freshBooks() throws Exception {
        server.show("alice", "bob", "science.physics");
        server.market.setMember(
                new Mutation("test", "test", "carol manages science"), "science", "carol", AccountRole.MANAGER);
    }

    private static JsonNode ok(String method, String path, String body, String schema) throws Exception {
        return checked(server.sign(server.operator(), method, V1 + path, body), schema);
    }

    private static JsonNode checked(HttpResponse<String> answer, String schema) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
        return valid(answer, schema);
    }

    private static JsonNode valid(HttpResponse<String> answer, String schema) throws Exception {
        JsonNode body = JSON.readTree(answer.body());
        assertThat(SCHEMAS.getSchema(SchemaLocation.of(FILE + "#/components/schemas/" + schema))
                        .validate(body))
                .as(schema + ": " + answer.body())
                .isEmpty();
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("default-src 'none'");
        return body;
    }

    private static HttpResponse<String> refused(HttpResponse<String> answer, int status) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode error = valid(answer, "Error").get("error");
        assertThat(error.get("status").asInt()).isEqualTo(status);
        assertThat(error.get("message").asText()).hasSizeGreaterThan(20);
        return answer;
    }

    private static RequestSigner keyOf(String owner, String role) throws Exception {
        JsonNode made = ok("POST", "keys", "{\"owner\":\"" + owner + "\",\"role\":\"" + role + "\"}", "NewKey");
        String id = made.at("/key/id").asText();
        ApiKey key = ApiKey.parse(
                id,
                Objects.requireNonNull(server.market.records(ApiKey.KIND).get(id))
                        .content());
        assertThat(made.get("cluster").asText()).isEqualTo("spruce");
        return server.signer(key);
    }

    @Test
    void everythingCanBeDoneAndIsAsTheOpenApiFileSays() throws Exception {
        assertThat(ok("GET", "price", "", "Price").get("price").asText()).isEqualTo("0");
        ok("GET", "time", "", "Time");
        JsonNode status = ok("GET", "status", "", "Status");
        assertThat(status.get("preemptionMaxLostWork").asDouble()).isEqualTo(0.0075);
        assertThat(status.get("preemptionWaiting").asInt()).isEqualTo(2);
        assertThat(ok("GET", "prices?points=30", "", "Prices").get("prices")).hasSize(30);
        assertThat(ok("GET", "forecast?minutes=120&points=7", "", "Forecast").get("forecast"))
                .hasSize(7);
        assertThat(ok("GET", "whoami", "", "WhoAmI").get("roles").get(0).asText())
                .isEqualTo("admin");
        assertThat(ok("GET", "accounts", "", "Accounts").get("accounts")).hasSize(3);
        ok("POST", "accounts", "{\"name\":\"carol\"}", "Receipt");
        ok("PUT", "accounts/alice/rate", "{\"rate\":\"4\"}", "Receipt");
        ok("PUT", "accounts/root.bob/rate", "{\"rate\":1.5}", "Receipt");
        ok("PUT", "accounts/carol/rate", "{\"rate\":\"2\"}", "Receipt");
        ok("POST", "accounts/carol/deposits", "{\"amount\":\"4007199254.740993001\",\"text\":\"prize\"}", "Receipt");
        server.books.turn();
        JsonNode price = ok("GET", "price", "", "Price");
        assertThat(price.get("price").asText()).isEqualTo("7.5");
        assertThat(price.has("slotHour")).as("a third price").isFalse();
        JsonNode alice = ok("GET", "accounts/alice", "", "Account").get("account");
        assertThat(alice.get("slotHourCost").asText()).isEqualTo("4");
        assertThat(alice.get("shareExactly").asText()).isEqualTo("8/15");
        ok("POST", "accounts/carol/withdrawals", "{\"amount\":1}", "Receipt");
        assertThat(ok(
                                "POST",
                                "transfers",
                                "{\"from\":\"carol\",\"to\":\"bob\",\"amount\":\"0.000000001\",\"text\":\"=1+1\"}",
                                "Receipt")
                        .get("balance")
                        .asText())
                .isEqualTo("4007199253.740993");
        assertThat(ok("GET", "accounts/carol/statement?most=2", "", "Statement").get("lines"))
                .hasSize(2);
        JsonNode newest = ok("GET", "accounts/carol/statement?before=0&most=1", "", "Statement");
        assertThat(newest.at("/lines/0/amount").asText()).isEqualTo("-0.000000001");
        long before = newest.at("/lines/0/sequence").asLong();
        assertThat(ok("GET", "accounts/carol/statement?most=1&before=" + before, "", "Statement")
                        .at("/lines/0/amount")
                        .asText())
                .isEqualTo("-1");
        ok("GET", "accounts/carol/balances?points=10", "", "Balances");
        ok("GET", "accounts/carol/rates?points=10", "", "Rates");
        ok("POST", "quotes", "{\"account\":\"alice\",\"rate\":\"2\",\"slotSeconds\":600,\"mostSlots\":\"4\"}", "Quote");
        ok(
                "PUT",
                "incomes/daily",
                "{\"total\":\"4800\",\"everySeconds\":3600,\"weights\":{\"alice\":2,\"bob\":1},\"cap\":\"100000\"}",
                "Receipt");
        assertThat(ok("GET", "incomes", "", "Incomes")
                        .at("/incomes/0/weights/alice")
                        .asInt())
                .isEqualTo(2);
        ok("DELETE", "incomes/daily", "", "Receipt");
        JsonNode key = ok("POST", "keys", "{\"owner\":\"alice\",\"role\":\"viewer\",\"days\":30}", "NewKey");
        assertThat(key.get("secret").asText()).hasSize(43);
        ok("POST", "keys/alice/1/rotation", "{\"graceSeconds\":60}", "NewKey");
        assertThat(ok("DELETE", "keys/alice/2", "", "Key").at("/key/live").asBoolean())
                .isFalse();
        assertThat(ok("GET", "keys", "", "Keys").get("keys")).hasSize(2);
        ok("DELETE", "accounts/carol", "", "Receipt");
        JsonNode closed = ok("GET", "closed", "", "ClosedAccounts").at("/accounts/0");
        assertThat(closed.get("name").asText()).isEqualTo("carol");
        String reference = closed.get("reference").asText();
        assertThat(ok("GET", "accounts/" + reference + "/statement", "", "Statement")
                        .get("lines")
                        .size())
                .isEqualTo(4);
        ok(
                "POST",
                "imports",
                "{\"budgets\":{\"alice\":\"1\",\"erin\":\"2\"},\"rates\":{\"alice\":\"1\",\"erin\":\"2\"}}",
                "Receipt");
        assertThat(ok("GET", "accounts/erin", "", "Account").at("/account/rate").asText())
                .isEqualTo("2");
        JsonNode audit = ok("GET", "audit?most=1000", "", "Audit").get("entries");
        assertThat(audit).hasSizeGreaterThan(12);
        assertThat(audit.get(1).get("principal").asText()).isEqualTo("heddle.operator");
        assertThat(audit.get(1).get("origin").asText()).isEqualTo("127.0.0.1");
    }

    @Test
    void theOpenApiFileNamesWhatTheCodeHasAndNothingElse() throws Exception {
        JsonNode file = JSON.readTree(server.get("/heddle/market/openapi.json").body());
        Map<String, Set<String>> described = new HashMap<>();
        file.get("paths")
                .fields()
                .forEachRemaining(path -> path.getValue()
                        .fields()
                        .forEachRemaining(operation -> described.put(
                                operation.getKey().toUpperCase(Locale.ROOT)
                                        + " "
                                        + path.getKey().substring("/v1/".length()),
                                inputs(operation.getValue()))));
        Map<String, Set<String>> coded = new HashMap<>();
        for (Route route : MarketServices.open(
                        server.market,
                        0,
                        WebSettings.read(new Configuration(false)),
                        WebLimits.DEFAULT,
                        new RateLimits(RateLimits.Limits.DEFAULT),
                        "h")
                .routes()) {
            Set<String> inputs = new TreeSet<>(route.query());
            inputs.addAll(route.body());
            coded.put(route.method() + " " + route.template(), inputs);
        }

        assertThat(described).isEqualTo(coded);
    }

    private static Set<String> inputs(JsonNode operation) {
        Set<String> names = new TreeSet<>();
        for (JsonNode parameter : operation.get("parameters")) {
            if (parameter.get("in").asText().equals("query")) {
                names.add(parameter.get("name").asText());
            }
        }
        operation
                .at("/requestBody/content/application~1json/schema/properties")
                .fieldNames()
                .forEachRemaining(names::add);
        return names;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | nothing | | 404",
                "GET    | accounts/carol | | 404",
                "GET    | accounts/ | | 404",
                "GET    | accounts/%C3%28 | | 400",
                "GET    | prices?points=0 | | 400",
                "GET    | prices?points=5000 | | 400",
                "GET    | prices?points=1&points=2 | | 400",
                "GET    | prices?colour=red | | 400",
                "GET    | audit?after=-1 | | 400",
                "GET    | audit?after=99999999999999999999 | | 400",
                "POST   | price | | 405",
                "PATCH  | accounts/alice | | 405",
                "PUT    | accounts/alice/rate | {} | 400",
                "PUT    | accounts/alice/rate | | 400",
                "PUT    | accounts/alice/rate | {\"rate\":\"-1\"} | 400",
                "PUT    | accounts/alice/rate | {\"rate\":\"1e9\"} | 400",
                "PUT    | accounts/alice/rate | {\"rate\":\"0.0000000001\"} | 400",
                "PUT    | accounts/alice/rate | {\"rate\":[1]} | 400",
                "PUT    | accounts/alice/rate | {\"rate\":null} | 400",
                "PUT    | accounts/alice/rate | {\"rate\":\"1\",\"rate\":\"2\"} | 400",
                "PUT    | accounts/alice/rate | {\"rate\":\"1\",\"more\":\"2\"} | 400",
                "PUT    | accounts/alice/rate | {\"rate\":\"1\"} x | 400",
                "PUT    | accounts/alice/rate | [\"rate\"] | 400",
                "PUT    | accounts/nobody/rate | {\"rate\":\"1\"} | 404",
                "POST   | accounts/alice/deposits | {\"amount\":\"0\"} | 400",
                "POST   | accounts/alice/deposits | {\"amount\":\"99999999999\"} | 400",
                "POST   | accounts/alice/withdrawals | {\"amount\":\"1001\"} | 409",
                "POST   | accounts | {\"name\":\"alice\"} | 409",
                "POST   | accounts | {\"name\":\"a b\"} | 400",
                "POST   | imports | {\"budgets\":{\"alice\":\"1\"}} | 400",
                "POST   | imports | {\"budgets\":{\"alice\":\"1\"},\"rates\":{\"bob\":\"1\"}} | 400",
                "POST   | imports | {\"budgets\":{\"alice\":\"x\"},\"rates\":{\"alice\":\"1\"}} | 400",
                "POST   | imports | {\"budgets\":{\"a b\":\"1\"},\"rates\":{\"a b\":\"1\"}} | 400",
                "POST   | transfers | {\"from\":\"alice\",\"to\":\"zoe\",\"amount\":\"1\"} | 404",
                "POST   | quotes | {\"account\":\"alice\",\"rate\":\"1\",\"slotSeconds\":0} | 400",
                "PUT    | incomes/x | {\"total\":\"1\",\"everySeconds\":1} | 400",
                "PUT    | incomes/x | {\"total\":\"1\",\"everySeconds\":1,\"weights\":{}} | 400",
                "PUT    | incomes/x | {\"total\":\"1\",\"everySeconds\":1,\"weights\":{\"alice\":\"1.5\"}} | 400",
                "PUT    | incomes/x%20y | {\"total\":\"1\",\"everySeconds\":1,\"weights\":{\"alice\":1}} | 400",
                "DELETE | incomes/none | | 404",
                "POST   | keys | {\"owner\":\"a/b\"} | 400",
                "POST   | keys | {\"owner\":\"alice\",\"role\":\"king\"} | 400",
                "POST   | keys | {\"owner\":\"alice\",\"days\":\"x\"} | 400",
                "DELETE | keys/alice/7 | | 404",
                "POST   | keys/alice/x/rotation | | 404",
            })
    void whatIsWrongIsToldInOneSentence(String method, String path, String body, int status) throws Exception {
        refused(server.sign(server.operator(), method, V1 + path, body == null ? "" : body), status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // who, with a key for which role | may | may not
                "alice | user | GET accounts/alice, PUT accounts/alice/rate, GET accounts/alice/statement, POST quotes"
                        + " | GET accounts/bob, PUT accounts/bob/rate, GET audit, POST accounts, GET incomes, POST"
                        + " accounts/alice/deposits, GET accounts/nobody, DELETE keys/bob/1",
                "alice | viewer | GET accounts/alice, GET accounts/alice/statement, GET keys, POST quotes |"
                        + " GET accounts/bob, PUT accounts/alice/rate, POST keys, DELETE keys/alice/1",
                "carol | manager | GET accounts/science.physics, PUT accounts/science.physics/rate |"
                        + " GET accounts/alice, POST accounts/science.physics/deposits",
                "dan   | auditor | GET accounts/bob, GET audit, GET incomes, GET accounts/bob/statement, GET keys |"
                        + " PUT accounts/bob/rate, POST accounts, POST imports",
                "eve   | viewer | GET accounts/bob, GET accounts/bob/balances |"
                        + " GET accounts/bob/statement, GET audit, PUT accounts/eve/rate",
            })
    void rolesHoldOverHttp(String who, String role, String may, String mayNot) throws Exception {
        RequestSigner signer = keyOf(who, role);
        for (String request : may.split(", ?", -1)) {
            String[] part = request.strip().split(" ", -1);
            assertThat(server.sign(signer, part[0], V1 + part[1], bodyFor(part)).statusCode())
                    .as(who + " " + request)
                    .isIn(200, 201);
        }
        for (String request : mayNot.split(", ?", -1)) {
            String[] part = request.strip().split(" ", -1);
            refused(server.sign(signer, part[0], V1 + part[1], bodyFor(part)), 403);
        }
    }

    private static String bodyFor(String[] part) {
        if (part[0].equals("PUT")) {
            return "{\"rate\":\"1\"}";
        }
        return switch (part[1]) {
            case "quotes" -> "{\"account\":\"alice\",\"rate\":\"1\",\"slotSeconds\":60}";
            case "accounts" -> part[0].equals("POST") ? "{\"name\":\"x\"}" : "";
            case "keys" -> part[0].equals("POST") ? "{}" : "";
            case "imports" -> "{\"budgets\":{\"alice\":\"1\"},\"rates\":{\"alice\":\"1\"}}";
            default -> part[0].equals("POST") ? "{\"amount\":\"1\"}" : "";
        };
    }

    @Test
    void aKeyCannotMakeAKeyThatMayMore() throws Exception {
        RequestSigner viewer = keyOf("alice", "viewer");
        RequestSigner user = keyOf("alice", "user");

        refused(server.sign(viewer, "POST", V1 + "keys", "{\"role\":\"user\"}"), 403);
        refused(server.sign(user, "POST", V1 + "keys", "{\"role\":\"admin\"}"), 403);
        refused(server.sign(user, "POST", V1 + "keys", "{\"owner\":\"bob\"}"), 403);
        refused(server.sign(viewer, "POST", V1 + "keys/alice/2/rotation", "{}"), 403);
        checked(server.sign(user, "POST", V1 + "keys", "{\"role\":\"user\"}"), "NewKey");
        assertThat(checked(server.sign(user, "GET", V1 + "keys", ""), "Keys").get("keys"))
                .hasSize(3);
    }

    /** A login name owns what has that name, and nothing else; the rest is on record. */
    @Test
    void ownersManagersAndReadersAreOnRecord() throws Exception {
        String physics = V1 + "accounts/science.physics";
        RequestSigner namesake = keyOf("physics", "user");
        refused(server.sign(namesake, "PUT", physics + "/rate", "{\"rate\":\"1\"}"), 403);
        refused(server.sign(namesake, "GET", physics + "/statement", ""), 403);
        refused(
                server.sign(
                        namesake,
                        "POST",
                        V1 + "transfers",
                        "{\"from\":\"science.physics\",\"to\":\"bob\",\"amount\":\"1\"}"),
                403);

        RequestSigner carol = keyOf("carol", "manager");
        checked(server.sign(carol, "PUT", physics + "/members/dora", "{\"role\":\"reader\"}"), "Receipt");
        refused(server.sign(carol, "PUT", physics + "/members/dora", "{\"role\":\"owner\"}"), 403);
        RequestSigner dora = keyOf("dora", "user");
        checked(server.sign(dora, "GET", physics + "/statement", ""), "Statement");
        refused(server.sign(dora, "PUT", physics + "/rate", "{\"rate\":\"1\"}"), 403);
        refused(server.sign(dora, "PUT", physics + "/members/dora", "{\"role\":\"manager\"}"), 403);
        assertThat(checked(server.sign(dora, "GET", physics + "/members", ""), "Members")
                        .at("/members/0/role")
                        .asText())
                .isEqualTo("reader");

        ok("PUT", "accounts/science.physics/members/olga", "{\"role\":\"owner\"}", "Receipt");
        RequestSigner olga = keyOf("olga", "user");
        checked(server.sign(olga, "PUT", physics + "/rate", "{\"rate\":\"3\"}"), "Receipt");
        refused(server.sign(carol, "DELETE", physics + "/members/olga", ""), 403);
        ok("PUT", "accounts/alice/members/olga", "{\"role\":\"owner\"}", "Receipt");
        refused(server.sign(keyOf("alice", "user"), "PUT", RATE, "{\"rate\":\"1\"}"), 403);
        checked(server.sign(olga, "DELETE", V1 + "accounts/alice/members/olga", ""), "Receipt");
        checked(server.sign(keyOf("alice", "user"), "PUT", RATE, "{\"rate\":\"1\"}"), "Receipt");
        JsonNode audit = ok("GET", "audit?most=1000", "", "Audit").get("entries");
        assertThat(audit).anySatisfy(entry -> {
            assertThat(entry.get("action").asText()).isEqualTo("set-member");
            assertThat(entry.at("/details/user").asText()).isEqualTo("dora");
            assertThat(entry.get("principal").asText()).isEqualTo("carol");
        });
        server.takeOver(System.currentTimeMillis() - 60_000);
        checked(server.sign(olga, "GET", physics + "/statement", ""), "Statement");
    }

    /** Programs of a project get keys from its manager; a key serves the account alone, and only while it is open. */
    @Test
    void managersMakeKeysOfTheirAccounts() throws Exception {
        RequestSigner carol = keyOf("carol", "manager");
        String owner = "{\"owner\":\"account:science.physics\",\"role\":\"user\"}";
        refused(server.sign(keyOf("bob", "user"), "POST", V1 + "keys", owner), 403);
        JsonNode made = checked(server.sign(carol, "POST", V1 + "keys", owner), "NewKey");
        String id = made.at("/key/id").asText();
        RequestSigner robot = server.signer(ApiKey.parse(
                id,
                Objects.requireNonNull(server.market.records(ApiKey.KIND).get(id))
                        .content()));
        String physics = V1 + "accounts/science.physics";
        checked(server.sign(robot, "PUT", physics + "/rate", "{\"rate\":\"2\"}"), "Receipt");
        refused(server.sign(robot, "PUT", RATE, "{\"rate\":\"2\"}"), 403);
        refused(server.sign(robot, "PUT", physics + "/members/dora", "{\"role\":\"reader\"}"), 403);
        refused(server.sign(robot, "POST", V1 + "keys", owner), 403);
        assertThat(checked(server.sign(carol, "GET", V1 + "keys", ""), "Keys").get("keys"))
                .hasSize(2);

        server.market.removeQueue(new Mutation("test", "test", "end"), "science.physics");
        refused(server.sign(robot, "GET", physics, ""), 403);
        Await.until(
                "a later millisecond",
                Duration.ofSeconds(5),
                () -> System.currentTimeMillis() > made.at("/key/createdMillis").asLong());
        server.market.openAccounts(List.of("science.physics"));
        Await.until(
                "the account to be open again",
                Duration.ofSeconds(10),
                () -> server.market.accountNames().contains("science.physics"));
        refused(server.sign(robot, "PUT", physics + "/rate", "{\"rate\":\"2\"}"), 403);
        checked(server.sign(carol, "DELETE", V1 + "keys/" + id, ""), "Key");
    }

    @Test
    void anAgentOfNobodySeesWhatThePaperShowsAndChangesNothing() throws Exception {
        assertThat(checked(server.get(V1 + "accounts"), "Accounts").get("accounts"))
                .hasSize(3);
        refused(server.get(V1 + "accounts/alice/statement"), 401);
        refused(server.get(V1 + "audit?user.name=root"), 401);
        refused(server.get(V1 + "keys"), 401);
        HttpRequest.Builder put = server.request("PUT", V1 + "accounts/alice/rate?user.name=alice", "{\"rate\":\"1\"}");
        refused(server.send(put.build()), 400);
        refused(server.send(put.header("X-XSRF-Header", "x").build()), 401);
    }

    @Test
    void refusalsComeInTheFormatThatWasAskedFor() throws Exception {
        for (String[] wanted : new String[][] {
            {"application/json", "{\"version\":1,"},
            {"text/html,application/xml;q=0.9", "{\"version\":1,"},
            {"text/xml", "<?xml"},
            {"text/plain", "there is no"},
        }) {
            HttpResponse<String> answer = server.send(server.request("GET", V1 + "nothing", "")
                    .header("Accept", wanted[0])
                    .build());
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).startsWith(wanted[1]);
        }
    }

    @Test
    void aStatementCanBeHadForASpreadsheet() throws Exception {
        ok("POST", "accounts/bob/deposits", "{\"amount\":\"2.5\",\"text\":\"=HYPERLINK(\\\"x\\\")\"}", "Receipt");
        HttpRequest.Builder request =
                server.request("GET", V1 + "accounts/bob/statement", "").header("Accept", "text/csv");
        server.fields(server.operator(), "GET", V1 + "accounts/bob/statement", "", System.currentTimeMillis())
                .forEach(request::header);

        HttpResponse<String> csv = server.send(request.build());

        assertThat(csv.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
        assertThat(csv.body())
                .startsWith("sequence,at,kind,epoch,amount,balance,rate,slotMillis,text\r\n")
                .contains(",deposit,0,2.5,1002.5,0,0,\"'=HYPERLINK(\"\"x\"\")\"\r\n");
    }

    @Test
    void inAnOutageQuestionsAreAnsweredAndChangesSay503() throws Exception {
        server.books.fail();

        assertThat(ok("GET", "status", "", "Status").get("store").asText()).isEqualTo("outage");
        ok("GET", "accounts/alice", "", "Account");
        refused(server.sign(server.operator(), "PUT", V1 + "accounts/alice/rate", "{\"rate\":\"1\"}"), 503);
        refused(server.sign(server.operator(), "POST", V1 + "keys", "{\"owner\":\"alice\"}"), 503);
        server.books.recover();
        ok("PUT", "accounts/alice/rate", "{\"rate\":\"1\"}", "Receipt");
    }

    @Test
    void beforeThereIsAMarketItIsSaid() throws Exception {
        server.scheduler().show(null, 0);

        refused(server.get(V1 + "price"), 503);
        freshBooks();
    }

    @Test
    void theSameRequestWithTheSameKeyIsDoneOnce() throws Exception {
        String path = V1 + "accounts/alice/deposits";
        String body = "{\"amount\":\"5\"}";
        for (boolean repeated : List.of(false, true)) {
            RequestParts parts = new RequestParts(
                    "POST",
                    "http",
                    "",
                    path,
                    null,
                    Map.of("Idempotency-Key", List.of("prize-7"), "Content-Type", List.of("application/json")),
                    body.getBytes(StandardCharsets.UTF_8));
            HttpRequest.Builder request = server.request("POST", path, body).header("Idempotency-Key", "prize-7");
            server.operator().sign(parts, System.currentTimeMillis() / 1_000).forEach(request::header);

            JsonNode receipt = checked(server.send(request.build()), "Receipt");

            assertThat(receipt.get("repeated").asBoolean()).isEqualTo(repeated);
            assertThat(receipt.get("balance").asText()).isEqualTo("1005");
        }
    }

    @Test
    void replaysAreRefusedOverHttpBeforeAndAfterAFailOver() throws Exception {
        RequestSigner alice = keyOf("alice", "user");
        long now = System.currentTimeMillis();
        HttpRequest read = server.signed(alice, "GET", V1 + "accounts/alice", "", now);
        HttpRequest change = server.signed(alice, "PUT", V1 + "accounts/alice/rate", "{\"rate\":\"3\"}", now);
        checked(server.send(read), "Account");
        checked(server.send(change), "Receipt");

        refused(server.send(read), 401);
        refused(server.send(change), 401);
        server.takeOver(now - 1_000);
        assertThat(refused(server.send(read), 401).body()).contains("signed-before-takeover");
        assertThat(refused(server.send(change), 401).body()).contains("replayed");
        checked(server.sign(alice, "PUT", V1 + "accounts/alice/rate", "{\"rate\":\"4\"}"), "Receipt");
    }

    /** Programs pay accounts in parallel, and agents have several threads. */
    @Test
    void manyRequestsOfOneKeyAtTheSameTimeAreAllAccepted() throws Exception {
        String alice = V1 + "accounts/alice/";
        long now = System.currentTimeMillis();
        List<HttpRequest> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long created = now - (i % 3) * 1_000L;
            String rate = "{\"rate\":\"" + i + "\"}";
            requests.add(server.signed(server.operator(), "PUT", alice + "rate", rate, created));
            requests.add(server.signed(server.operator(), "POST", alice + "deposits", "{\"amount\":\"1\"}", created));
        }

        List<CompletableFuture<HttpResponse<String>>> answers =
                requests.stream().map(server::sendAsync).toList();

        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            checked(answer.get(60, TimeUnit.SECONDS), "Receipt");
        }
        assertThat(server.market.queue("alice").budget()).hasToString("1100");
    }

    @Test
    void aRateThatWasDelayedIsAConflictAndADepositIsNot() throws Exception {
        long now = System.currentTimeMillis();
        HttpRequest late = server.signed(server.operator(), "PUT", RATE, "{\"rate\":\"9\"}", now - 20_000);
        HttpRequest deposit = server.signed(
                server.operator(), "POST", V1 + "accounts/alice/deposits", "{\"amount\":\"1\"}", now - 20_000);
        ok("PUT", "accounts/alice/rate", "{\"rate\":\"4\"}", "Receipt");

        assertThat(refused(server.send(late), 409).body()).contains("out-of-order");
        checked(server.send(deposit), "Receipt");
        server.takeOver(now - 60_000);
        late = server.signed(server.operator(), "PUT", RATE, "{\"rate\":\"9\"}", now - 20_000);
        assertThat(refused(server.send(late), 409).body()).contains("out-of-order");
        assertThat(server.market.queue("alice").rate()).hasToString("4");
    }

    /** As somebody without a key behind the same proxy may do it. */
    @Test
    void forgedAndAnonymousRequestsKeepTheOperatorBehindTheSameAddressNotOut() throws Exception {
        try (MarketWebFixture strict = new MarketWebFixture(Map.of(), new RateLimits.Limits(20, 100, 1, 10_000, 50))) {
            Set<Integer> answers = new TreeSet<>();
            for (int i = 0; i < 60; i++) {
                RequestSigner forger = new RequestSigner("spruce", "mallory/" + i % 2, new byte[32], strict.random);
                answers.add(strict.sign(forger, "PUT", RATE, "{\"rate\":\"1\"}").statusCode());
            }
            assertThat(answers).contains(401, 429);
            // All at once: one after the other they may be slower than the limit on a busy machine.
            List<CompletableFuture<HttpResponse<String>>> anonymous = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                anonymous.add(
                        strict.sendAsync(strict.request("GET", V1 + "price", "").build()));
            }
            answers.clear();
            for (CompletableFuture<HttpResponse<String>> answer : anonymous) {
                answers.add(Await.result("the answers", Duration.ofSeconds(60), answer)
                        .statusCode());
            }
            assertThat(answers).contains(429);

            for (int i = 0; i < 20; i++) {
                assertThat(strict.sign(strict.operator(), "PUT", RATE, "{\"rate\":\"3\"}")
                                .statusCode())
                        .isEqualTo(200);
            }
            assertThat(strict.market.queue("alice").rate()).hasToString("3");
        }
    }

    @Test
    void changesOfAnAccountAndKeysOfAnOwnerAreLimitedADay() throws Exception {
        try (MarketWebFixture strict = new MarketWebFixture(Map.of(), new RateLimits.Limits(1_000, 100, 5, 5, 4))) {
            String key = "{\"owner\":\"alice\",\"role\":\"user\"}";
            for (int i = 0; i < 4; i++) {
                checked(strict.sign(strict.operator(), "POST", V1 + "keys", key), "NewKey");
            }
            refused(strict.sign(strict.operator(), "POST", V1 + "keys", key), 429);

            RequestSigner alice = strict.signer(ApiKey.parse(
                    "alice/1",
                    Objects.requireNonNull(strict.market.records(ApiKey.KIND).get("alice/1"))
                            .content()));
            for (int i = 0; i < 5; i++) {
                checked(strict.sign(alice, "PUT", RATE, "{\"rate\":\"" + i + "\"}"), "Receipt");
            }
            assertThat(refused(strict.sign(alice, "PUT", RATE, "{\"rate\":\"9\"}"), 429)
                            .body())
                    .contains("account alice was changed too often today");
            assertThat(strict.market.queue("alice").rate()).hasToString("4");
        }
    }

    private static void clusterAnswers() throws Exception {
        assertThat(server.get("/ws/v1/cluster/info").statusCode()).isEqualTo(200);
    }

    @Test
    void strangersCannotHoldTheWebServer() throws Exception {
        try (SlowClients clients = new SlowClients(server.uri("").getPort())) {
            UnfinishedRequests.areAnsweredAtOnce(clients, UnfinishedRequests.ofStrangers(server, 401));
            clusterAnswers();
        }
        try (SlowClients clients = new SlowClients(server.uri("").getPort())) {
            clients.send(UnfinishedRequests.MANY, "GET /ws/v1/cluster/info HTTP/1.1\r\nHost: h");
            clusterAnswers();
        }
    }

    /** The bodies of one caller are bounded, and no thread waits for them. */
    @Test
    void slowCallersAreServedAndHoldNoThreads() throws Exception {
        RequestSigner bob = keyOf("bob", "user");
        try (SlowClients clients = new SlowClients(server.uri("").getPort())) {
            List<Socket> held = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                held.add(clients.send(UnfinishedRequests.signed(server, server.operator())));
            }
            Await.until(
                    "the bodies beyond the limit to be refused",
                    Duration.ofSeconds(30),
                    () -> answered(held).size() == 22);
            for (Socket refused : answered(held)) {
                assertThat(SlowClients.answer(refused))
                        .startsWith("HTTP/1.1 503")
                        .contains("Retry-After: ");
                held.remove(refused);
            }
            clusterAnswers();
            checked(server.sign(bob, "PUT", V1 + "accounts/bob/rate", "{\"rate\":\"2\"}"), "Receipt");
            for (String part : UnfinishedRequests.rest()) {
                SlowClients.send(held.get(0), part);
            }
            assertThat(SlowClients.status(held.get(0))).isEqualTo("HTTP/1.1 200 OK");
        }
        assertThat(ok("GET", "accounts/alice/statement?before=0&most=1", "", "Statement")
                        .at("/lines/0/amount")
                        .asText())
                .isEqualTo("1");
    }

    private static List<Socket> answered(List<Socket> sockets) throws IOException {
        List<Socket> answered = new ArrayList<>();
        for (Socket socket : sockets) {
            if (socket.getInputStream().available() > 0) {
                answered.add(socket);
            }
        }
        return answered;
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        String body = "{\"rate\":\"" + "1".repeat(70_000) + "\"}";

        refused(server.sign(server.operator(), "PUT", V1 + "accounts/alice/rate", body), 413);
    }
}
