// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.paper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.heddle.market.http.api.ApiRequest;
import org.heddle.market.http.api.ApiResponse;
import org.heddle.market.http.api.ResponseFormat;
import org.heddle.market.http.api.Xml;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.market.security.Access;
import org.heddle.market.security.Access.Action;
import org.heddle.market.security.RefusedException;

/**
 * The API of the paper's Table 1, with the XML of its Listing 1.1, and {@code time} from the code of 2009. GET and POST
 * do the same; all arguments are in the query. Permissions follow the table; managers and auditors, which the paper
 * does not know, have the permissions of the JSON API.
 */
public final class PaperApi {
    private static final Set<String> QUESTIONS = Set.of("price", "time", "info", "infos");
    private static final Set<String> CHANGES = Set.of("setSpending", "addBudget", "addQueue", "removeQueue");
    private static final Set<String> ARGUMENTS = Set.of("queue", "user", "timestamp");

    private final String host;

    /** @param host content of {@code <host>} */
    public PaperApi(String host) {
        this.host = host;
    }

    /** The operation of a query. @throws RefusedException (400) if there is not exactly one known operation */
    public static String operation(Map<String, String> query) throws RefusedException {
        List<String> found = new ArrayList<>();
        for (String name : query.keySet()) {
            if (QUESTIONS.contains(name) || CHANGES.contains(name)) {
                found.add(name);
            } else if (!ARGUMENTS.contains(name)) {
                throw RefusedException.badRequest("the option '" + AccountNames.shown(name)
                        + "' is unknown; use price, time, info, infos, setSpending, addBudget, addQueue or"
                        + " removeQueue");
            }
        }
        if (found.size() != 1) {
            throw RefusedException.badRequest("the query has " + found.size()
                    + " operations; use one of price, time, info, infos, setSpending, addBudget, addQueue and"
                    + " removeQueue");
        }
        return found.get(0);
    }

    public static boolean changes(String operation) {
        return CHANGES.contains(operation);
    }

    public ApiResponse handle(ApiRequest x) throws RefusedException, MarketException {
        String operation = operation(x.query());
        String argument = x.query().getOrDefault(operation, "");
        String body = switch (operation) {
            case "price" -> Xml.element("price", x.market().status().price());
            case "time" -> time(x.market().status());
            case "info" -> info(x, argument);
            case "infos" -> infos(x);
            case "setSpending" -> setSpending(x, argument);
            case "addBudget" -> addBudget(x, argument);
            case "addQueue" -> addQueue(x, argument);
            default -> removeQueue(x, argument);
        };
        String document = Xml.HEAD + "<QueueInfo>\n" + Xml.element("host", host) + body + "</QueueInfo>\n";
        return ApiResponse.of(ResponseFormat.XML.contentType(), document.getBytes(StandardCharsets.UTF_8));
    }

    private static String time(MarketStatus status) {
        return Xml.element("start", status.epochStart().toEpochMilli())
                + Xml.element("time", status.now().toEpochMilli());
    }

    private String info(ApiRequest x, String argument) throws RefusedException, MarketException {
        String queue = AccountNames.account(argument);
        x.demand(Action.READ_STATEMENT, queue);
        return element(x.market().queue(queue));
    }

    private static String infos(ApiRequest x) throws RefusedException {
        x.demand(Action.AUDIT, Access.NO_ACCOUNT);
        StringBuilder all =
                new StringBuilder(Xml.element("price", x.market().status().price()));
        x.market().queues().forEach(queue -> all.append(element(queue)));
        return all.toString();
    }

    private static String setSpending(ApiRequest x, String argument) throws RefusedException, MarketException {
        String queue = queue(x);
        x.demand(Action.SET_RATE, queue);
        SpendingRate rate = parsed(argument, SpendingRate::parse);
        x.countChange(queue);
        x.market().setSpending(x.replacement("the rate of " + queue), queue, rate);
        return element(x.market().queue(queue));
    }

    private static String addBudget(ApiRequest x, String argument) throws RefusedException, MarketException {
        String queue = queue(x);
        x.demand(Action.MINT, queue);
        Credits amount = parsed(argument, Credits::parse);
        if (amount.isNegative()) {
            x.market().withdraw(x.mutation(), queue, amount.negated(), "addBudget");
        } else if (amount.isPositive()) {
            x.market().addBudget(x.mutation(), queue, amount, "addBudget");
        } else {
            throw RefusedException.badRequest("addBudget = 0 adds nothing; use another amount");
        }
        return element(x.market().queue(queue));
    }

    private static String addQueue(ApiRequest x, String argument) throws RefusedException, MarketException {
        x.demand(Action.ADMINISTER, Access.NO_ACCOUNT);
        String queue = AccountNames.account(argument);
        x.market().addQueue(x.mutation(), queue);
        return element(x.market().queue(queue));
    }

    private static String removeQueue(ApiRequest x, String argument) throws RefusedException, MarketException {
        x.demand(Action.ADMINISTER, Access.NO_ACCOUNT);
        x.market().removeQueue(x.mutation(), AccountNames.account(argument));
        return "";
    }

    private static <T> T parsed(String argument, Function<String, T> parser) throws RefusedException {
        try {
            return parser.apply(argument);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static String queue(ApiRequest x) throws RefusedException {
        String queue = x.query().get("queue");
        if (queue == null || queue.isEmpty()) {
            throw RefusedException.badRequest("the query names no queue; add &queue=NAME");
        }
        return AccountNames.account(queue);
    }

    private static String element(QueueStatus queue) {
        return "<queue name=\"" + Xml.escape(queue.name()) + "\">\n" + numbers(queue) + "</queue>\n";
    }

    /** The paper's five numbers. */
    private static String numbers(QueueStatus queue) {
        return Xml.element("budget", decimal(queue.budget()))
                + Xml.element("spending", decimal(queue.rate()))
                + Xml.element("share", decimal(queue.share()))
                + Xml.element("used", queue.usedContainers())
                + Xml.element("pending", queue.pendingContainers());
    }

    /** With a decimal point, as the clients of 2009 expect it. */
    private static String decimal(Object number) {
        String text = number.toString();
        return text.indexOf('.') < 0 ? text + ".0" : text;
    }
}
