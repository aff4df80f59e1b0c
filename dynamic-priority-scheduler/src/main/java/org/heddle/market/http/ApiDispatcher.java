// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.IsResourceManagerActiveServlet;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.market.http.RequestAuthenticator.Claim;
import org.heddle.market.http.RequestAuthenticator.Head;
import org.heddle.market.http.api.ApiPaths;
import org.heddle.market.http.api.ApiRequest;
import org.heddle.market.http.api.ApiResponse;
import org.heddle.market.http.api.MarketApi;
import org.heddle.market.http.api.QueryString;
import org.heddle.market.http.api.Refusals;
import org.heddle.market.http.api.RequestBody;
import org.heddle.market.http.api.RequestReader;
import org.heddle.market.http.api.ResponseFormat;
import org.heddle.market.http.api.Route;
import org.heddle.market.http.auth.UserRoles;
import org.heddle.market.http.config.WebLimits;
import org.heddle.market.http.config.WebSettings;
import org.heddle.market.http.pages.MarketPage;
import org.heddle.market.http.paper.PaperApi;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.security.RateLimits;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestVerifier;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles each request for the market in the same steps, for callers of the servlet (authenticated by the
 * ResourceManager) and of the filter (authenticated by a signature): check the rate limits, find the route,
 * authenticate the caller, read the body, run the handler. There is one dispatcher for each web server. Each request
 * looks the market up, because a failover replaces it.
 */
public final class ApiDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(ApiDispatcher.class);
    private static final String ATTRIBUTE = ApiDispatcher.class.getName();
    private static final String POLICY = "default-src 'none'; frame-ancestors 'none'";
    private static final String CSRF_FIELD_KEY = "yarn.resourcemanager.webapp.rest-csrf.custom-header";
    private static final String CSRF_FIELD = "X-XSRF-Header";
    private static final byte[] NO_BODY = {};

    private final ResourceManager rm;
    private final String host;
    private final String problem;
    private final @Nullable WebSettings settings;
    private final @Nullable UserRoles roles;
    private final @Nullable RequestAuthenticator authenticator;
    private final WebLimits limits;
    private final RateLimits rates;
    private final BodyReader bodies = new BodyReader(BodyReader.Limits.DEFAULT);
    private volatile @Nullable MarketServices services;

    /** The target of a request. */
    private record Target(@Nullable Route route, List<String> path, boolean changes, boolean paper) {}

    /**
     * A request that its head does not refuse.
     *
     * @param caller whose body is read
     * @param hasBody whether {@code finish} needs the body
     */
    private record Accepted(String caller, boolean hasBody, Finish finish) {
        static Accepted answered(ApiResponse answer) {
            return new Accepted("", false, body -> answer);
        }
    }

    /** The rest of the work for a request. */
    @FunctionalInterface
    private interface Finish {
        ApiResponse answer(byte[] body) throws RefusedException;
    }

    /** A step towards the answer; null if a later step sends it. */
    @FunctionalInterface
    private interface Step {
        @Nullable
        ApiResponse answer() throws RefusedException, IOException;
    }

    private ApiDispatcher(ResourceManager rm) {
        this.rm = rm;
        Configuration conf = rm.getConfig();
        host = conf.getSocketAddr(
                        YarnConfiguration.RM_WEBAPP_ADDRESS,
                        YarnConfiguration.DEFAULT_RM_WEBAPP_ADDRESS,
                        YarnConfiguration.DEFAULT_RM_WEBAPP_PORT)
                .getHostName();
        WebSettings read = null;
        String wrong = "";
        try {
            read = WebSettings.read(conf);
        } catch (IllegalArgumentException e) {
            wrong = String.valueOf(e.getMessage());
            LOG.error("The market's REST and pages are disabled: {}", wrong);
        }
        settings = read;
        problem = wrong;
        roles = read == null ? null : new UserRoles(read, conf);
        authenticator = roles == null ? null : new RequestAuthenticator(roles, conf.get(CSRF_FIELD_KEY, CSRF_FIELD));
        limits = rm.getResourceScheduler() instanceof MarketSource source ? source.webLimits() : WebLimits.DEFAULT;
        rates = new RateLimits(limits.rates());
    }

    /** The dispatcher of a web server; null if the server is not a ResourceManager's. */
    static @Nullable ApiDispatcher of(ServletContext context) {
        Object known = context.getAttribute(ATTRIBUTE);
        if (known instanceof ApiDispatcher dispatcher) {
            return dispatcher;
        }
        synchronized (ApiDispatcher.class) {
            if (context.getAttribute(ATTRIBUTE) instanceof ApiDispatcher dispatcher) {
                return dispatcher;
            }
            if (!(context.getAttribute(IsResourceManagerActiveServlet.RM_ATTRIBUTE) instanceof ResourceManager rm)) {
                return null;
            }
            ApiDispatcher dispatcher = new ApiDispatcher(rm);
            context.setAttribute(ATTRIBUTE, dispatcher);
            return dispatcher;
        }
    }

    ResourceManager resourceManager() {
        return rm;
    }

    static boolean isOurs(String path) {
        return path.equals(ApiPaths.PAPER) || path.equals(ApiPaths.ROOT) || path.startsWith(ApiPaths.ROOT + "/");
    }

    /** Whether a request has a signature, valid or not. */
    private static boolean isSigned(HttpServletRequest request) {
        return request.getHeader("Signature-Input") != null || request.getHeader("Signature") != null;
    }

    /** Whether the signature of a request for a path is verified. */
    private static boolean needsProof(String path) {
        return path.equals(ApiPaths.PAPER) || path.startsWith(ApiPaths.API);
    }

    /** Whether a request is signed or public, so that it does not need the web server's authentication. */
    static boolean needsNoLogin(HttpServletRequest request) {
        if (isSigned(request)) {
            return true;
        }
        String path = request.getRequestURI();
        if (path.equals(ApiPaths.PAPER)) {
            String query = String.valueOf(request.getQueryString());
            return query.equals("price") || query.equals("time");
        }
        return MarketPage.isPublic(path)
                || path.equals(ApiPaths.API + "price")
                || path.equals(ApiPaths.API + "time")
                || path.equals(ApiPaths.OPENAPI);
    }

    /**
     * Answers a request.
     *
     * @param user the caller's name from the web server's authentication; empty if there was none
     */
    void serve(HttpServletRequest request, HttpServletResponse response, String user) throws IOException {
        take(request, response, () -> {
            Accepted accepted = accept(request, user);
            if (!accepted.hasBody()) {
                return accepted.finish().answer(NO_BODY);
            }
            bodies.read(
                    request,
                    accepted.caller(),
                    body -> take(request, response, () -> accepted.finish().answer(body.bytes())));
            return null;
        });
    }

    private static void take(HttpServletRequest request, HttpServletResponse response, Step step) throws IOException {
        ApiResponse answer;
        try {
            answer = step.answer();
        } catch (RefusedException e) {
            answer = format(request).refusal(e);
        } catch (RuntimeException e) {
            LOG.error(
                    "Internal error while answering {} {}",
                    request.getMethod(),
                    AccountNames.shown(request.getRequestURI()),
                    e);
            answer = format(request)
                    .refusal(RefusedException.of(
                            RefusedException.Kind.INTERNAL,
                            "internal",
                            "there was an internal error; the ResourceManager's log has more"));
        }
        if (answer != null) {
            send(answer, request, response);
        }
    }

    private static ResponseFormat format(HttpServletRequest request) {
        return ResponseFormat.of(
                request.getHeader("Accept"),
                request.getRequestURI().startsWith(ApiPaths.PAPER) ? ResponseFormat.XML : ResponseFormat.JSON);
    }

    static void send(ApiResponse answer, HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", POLICY);
        if (!request.isAsyncStarted()) {
            BodyReader.leaveUnread(request, response);
        }
        answer.fields().forEach(response::setHeader);
        response.setContentType(answer.contentType());
        response.setContentLength(answer.body().length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(answer.body());
        }
    }

    /** Decides by the head of a request; its body has not been read. */
    private Accepted accept(HttpServletRequest request, String user) throws RefusedException {
        String address = request.getRemoteAddr();
        long wait = rates.arrival(address, System.nanoTime());
        if (settings == null || roles == null || authenticator == null) {
            throw RefusedException.unavailable(
                    "the market's REST is disabled, because its configuration is wrong: " + problem);
        }
        String path = request.getRequestURI();
        String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
        if (!isSigned(request) || !needsProof(path)) {
            RateLimits.checkArrival(address, wait);
        }
        if (method.equals("GET") && MarketPage.isPublic(path)) {
            return Accepted.answered(MarketPage.answer(path));
        }
        if (method.equals("GET") && path.equals(ApiPaths.OPENAPI)) {
            return Accepted.answered(MarketPage.openApi());
        }
        MarketServices open = services(settings);
        if (method.equals("GET") && path.equals(ApiPaths.TABLES)) {
            return Accepted.answered(MarketPage.tables(
                    open.market().status(), MarketApi.seen(open.market(), roles.unsigned(user, open.market()))));
        }
        Map<String, String> query = QueryString.parse(request.getQueryString());
        Target target = target(open, method, path, query);
        if (target.changes() && request.getMethod().equals("HEAD")) {
            throw RefusedException.of(
                    RefusedException.Kind.METHOD_NOT_ALLOWED,
                    "method",
                    "HEAD changes nothing; use GET or POST for this operation of " + ApiPaths.PAPER);
        }
        boolean hasBody = BodyReader.announced(request);
        if (hasBody && target.route() != null && target.route().body().isEmpty()) {
            throw RefusedException.badRequest("this operation has no body; send none");
        }
        Head head = new Head(RequestReader.head(request), hasBody, address, user, target.changes(), target.paper());
        Claim claim = authenticator.claim(open, head);
        if (!claim.signed()) {
            RateLimits.checkArrival(address, wait);
        }
        return new Accepted(
                claim.name(), hasBody && claim.readsBody(), body -> finish(open, target, query, head, claim, body));
    }

    private ApiResponse finish(
            MarketServices open, Target target, Map<String, String> query, Head head, Claim claim, byte[] body)
            throws RefusedException {
        RequestAuthenticator.Proof proof = claim.prove(body);
        RequestParts parts = head.parts();
        String key = parts.field(RequestVerifier.IDEMPOTENCY_FIELD);
        ApiRequest apiRequest = new ApiRequest(
                open.market(),
                proof.caller(),
                this::maySpend,
                target.path(),
                query,
                fields(target.route(), parts.field("content-type"), body),
                key == null ? proof.nonce() : key,
                proof.marks(),
                open.order(),
                rates,
                proof.createdSeconds(),
                head.address(),
                Clocks.SYSTEM.date(),
                Clocks.SYSTEM.millis(),
                parts.field("accept"));
        try {
            if (target.route() == null) {
                return open.paper().handle(apiRequest);
            }
            return target.route().handler().handle(apiRequest);
        } catch (MarketException e) {
            throw Refusals.of(e);
        }
    }

    private boolean maySpend(String user, String account) {
        return rm.getResourceScheduler() instanceof MarketSource source && source.maySpend(user, account);
    }

    private MarketServices services(WebSettings read) throws RefusedException {
        if (!(rm.getResourceScheduler() instanceof MarketSource source)) {
            throw RefusedException.notFound("this ResourceManager's scheduler has no market");
        }
        Market market = source.market();
        if (market == null) {
            String why = source.marketProblem();
            if (why.isEmpty()) {
                throw RefusedException.unavailable("the market is not open yet; try again in a moment");
            }
            throw RefusedException.unavailable("the market is not open, and running applications are free of charge: "
                    + why + "; the ResourceManager tries to open it every few seconds");
        }
        MarketServices open = services;
        if (open == null || open.market() != market) {
            synchronized (this) {
                open = services;
                if (open == null || open.market() != market) {
                    open = open(market, source.marketSinceMillis(), read);
                    services = open;
                }
            }
        }
        return open;
    }

    private MarketServices open(Market market, long sinceMillis, WebSettings read) throws RefusedException {
        try {
            return MarketServices.open(market, sinceMillis, read, limits, rates, host);
        } catch (IllegalArgumentException e) {
            LOG.error("The market's REST cannot be opened", e);
            throw RefusedException.unavailable("the market's REST cannot be opened: " + e.getMessage());
        }
    }

    private static Target target(MarketServices open, String method, String path, Map<String, String> query)
            throws RefusedException {
        if (path.equals(ApiPaths.PAPER)) {
            if (!method.equals("GET") && !method.equals("POST")) {
                throw RefusedException.of(
                        RefusedException.Kind.METHOD_NOT_ALLOWED, "method", "use GET or POST for " + ApiPaths.PAPER);
            }
            return new Target(null, List.of(), PaperApi.changes(PaperApi.operation(query)), true);
        }
        if (!path.startsWith(ApiPaths.API)) {
            throw RefusedException.notFound(
                    "there is no " + AccountNames.shown(path) + "; " + ApiPaths.OPENAPI + " lists the operations");
        }
        String[] segments = path.substring(ApiPaths.API.length()).split("/", -1);
        Set<String> otherMethods = new TreeSet<>();
        for (Route route : open.routes()) {
            List<String> encoded = route.match(segments);
            if (encoded != null && route.method().equals(method)) {
                for (String name : query.keySet()) {
                    if (!route.query().contains(name)) {
                        throw RefusedException.badRequest("the parameter '" + AccountNames.shown(name)
                                + "' is unknown here; " + known(route.query()));
                    }
                }
                List<String> decoded = new ArrayList<>();
                for (String segment : encoded) {
                    decoded.add(QueryString.decode(segment, false));
                }
                return new Target(route, decoded, route.changes(), false);
            }
            if (encoded != null) {
                otherMethods.add(route.method());
            }
        }
        if (!otherMethods.isEmpty()) {
            throw RefusedException.of(
                    RefusedException.Kind.METHOD_NOT_ALLOWED,
                    "method",
                    AccountNames.shown(method) + " is not allowed here; use one of " + otherMethods);
        }
        throw RefusedException.notFound(
                "there is no " + AccountNames.shown(path) + "; " + ApiPaths.OPENAPI + " lists the operations");
    }

    /** The fields of a body; none if the body is empty. */
    private static Map<String, Object> fields(@Nullable Route route, @Nullable String type, byte[] body)
            throws RefusedException {
        if (route == null || body.length == 0) {
            return Map.of();
        }
        if (type == null || !type.split(";", -1)[0].strip().equalsIgnoreCase("application/json")) {
            throw RefusedException.badRequest("the body's Content-Type must be application/json");
        }
        Map<String, Object> fields = RequestBody.read(body);
        for (String name : fields.keySet()) {
            if (!route.body().contains(name)) {
                throw RefusedException.badRequest(
                        "the field '" + AccountNames.shown(name) + "' is unknown here; " + known(route.body()));
            }
        }
        return fields;
    }

    private static String known(Collection<String> names) {
        return names.isEmpty() ? "there are none" : "the known ones are " + new TreeSet<>(names);
    }
}
