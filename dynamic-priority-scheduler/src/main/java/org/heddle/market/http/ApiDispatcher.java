// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.IsResourceManagerActiveServlet;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.market.http.api.ApiPaths;
import org.heddle.market.http.api.ApiRequest;
import org.heddle.market.http.api.ApiResponse;
import org.heddle.market.http.api.MarketApi;
import org.heddle.market.http.api.PeerPrices;
import org.heddle.market.http.api.QueryString;
import org.heddle.market.http.api.Refusals;
import org.heddle.market.http.api.RequestBody;
import org.heddle.market.http.api.RequestReader;
import org.heddle.market.http.api.ResponseFormat;
import org.heddle.market.http.api.Route;
import org.heddle.market.http.auth.UserRoles;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.http.config.WebSettings;
import org.heddle.market.http.pages.MarketPage;
import org.heddle.market.http.paper.LegacyVerifier;
import org.heddle.market.http.paper.PaperApi;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.Caller;
import org.heddle.market.security.Caller.How;
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
 * authenticate the caller, run the handler. There is one dispatcher for each web server. Each request looks the market
 * up, because a failover replaces it.
 */
public final class ApiDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(ApiDispatcher.class);
    private static final String ATTRIBUTE = ApiDispatcher.class.getName();
    private static final String POLICY = "default-src 'none'; frame-ancestors 'none'";
    private static final String CSRF_FIELD_KEY = "yarn.resourcemanager.webapp.rest-csrf.custom-header";
    private static final String CSRF_FIELD = "X-XSRF-Header";

    private final ResourceManager rm;
    private final String csrfField;
    private final String host;
    private final String problem;
    private final @Nullable WebSettings settings;
    private final @Nullable UserRoles roles;
    private final RateLimits limits;
    private final PeerPrices peers;
    private volatile @Nullable MarketServices services;

    /** The target of a request. */
    private record Target(@Nullable Route route, List<String> path, boolean changes, boolean paper) {}

    /** The authenticated caller, and the marks to store with a change. */
    private record Proof(Caller caller, String nonce, long createdSeconds, List<MarketRecord> marks) {
        boolean signed() {
            return caller.how() == How.SIGNATURE || caller.how() == How.LEGACY;
        }
    }

    private ApiDispatcher(ResourceManager rm) {
        this.rm = rm;
        Configuration conf = rm.getConfig();
        csrfField = conf.get(CSRF_FIELD_KEY, CSRF_FIELD);
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
        limits = new RateLimits(read == null ? RateLimits.Limits.DEFAULT : read.limits());
        peers = new PeerPrices(read == null ? Map.of() : read.peers());
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
        return request.getHeader("Signature-Input") != null
                || request.getHeader("Signature") != null
                || (request.getRequestURI().equals(ApiPaths.PAPER)
                        && LegacyVerifier.isSigned(request.getQueryString(), request.getHeader("Authorization")));
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
        ResponseFormat format = ResponseFormat.of(
                request.getHeader("Accept"),
                request.getRequestURI().startsWith(ApiPaths.PAPER) ? ResponseFormat.XML : ResponseFormat.JSON);
        ApiResponse answer;
        try {
            answer = answer(request, user);
        } catch (RefusedException e) {
            answer = format.refusal(e);
        } catch (RuntimeException e) {
            LOG.error(
                    "Internal error while answering {} {}",
                    request.getMethod(),
                    AccountNames.shown(request.getRequestURI()),
                    e);
            answer = format.refusal(RefusedException.of(
                    RefusedException.Kind.INTERNAL,
                    "internal",
                    "there was an internal error; the ResourceManager's log has more"));
        }
        send(answer, request, response);
    }

    static void send(ApiResponse answer, HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", POLICY);
        answer.fields().forEach(response::setHeader);
        response.setContentType(answer.contentType());
        response.setContentLength(answer.body().length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(answer.body());
        }
    }

    private ApiResponse answer(HttpServletRequest request, String user) throws RefusedException {
        long wait = limits.arrival(request.getRemoteAddr(), System.nanoTime());
        if (settings == null || roles == null) {
            throw RefusedException.unavailable(
                    "the market's REST is disabled, because its configuration is wrong: " + problem);
        }
        String path = request.getRequestURI();
        String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
        if (!isSigned(request) || !needsProof(path)) {
            RateLimits.checkArrival(request.getRemoteAddr(), wait);
        }
        if (method.equals("GET") && MarketPage.isPublic(path)) {
            return MarketPage.answer(path);
        }
        if (method.equals("GET") && path.equals(ApiPaths.OPENAPI)) {
            return MarketPage.openApi();
        }
        MarketServices open = services(settings);
        if (method.equals("GET") && path.equals(ApiPaths.TABLES)) {
            return MarketPage.tables(open.market().status(), MarketApi.seen(open.market(), roles.unsigned(user)));
        }
        Map<String, String> query = QueryString.parse(request.getQueryString());
        Target target = target(open, method, path, query);
        if (target.changes() && request.getMethod().equals("HEAD")) {
            throw RefusedException.of(
                    RefusedException.Kind.METHOD_NOT_ALLOWED,
                    "method",
                    "HEAD changes nothing; use GET or POST for this operation of " + ApiPaths.PAPER);
        }
        RequestParts parts = RequestReader.read(request);
        Proof proof = proof(open, roles, parts, target, user, request.getRemoteAddr());
        if (!proof.signed()) {
            RateLimits.checkArrival(request.getRemoteAddr(), wait);
        }
        ApiRequest apiRequest = new ApiRequest(
                open.market(),
                proof.caller(),
                target.path(),
                query,
                body(parts, target),
                idempotencyKey(parts, proof),
                proof.marks(),
                open.order(),
                limits,
                proof.createdSeconds(),
                request.getRemoteAddr(),
                Clocks.SYSTEM.date(),
                Clocks.SYSTEM.millis(),
                request.getHeader("Accept"));
        try {
            return target.route() == null
                    ? open.paper().handle(apiRequest)
                    : target.route().handler().handle(apiRequest);
        } catch (MarketException e) {
            throw Refusals.of(e);
        }
    }

    private MarketServices services(WebSettings read) throws RefusedException {
        if (!(rm.getResourceScheduler() instanceof MarketSource source)) {
            throw RefusedException.notFound("this ResourceManager's scheduler has no market");
        }
        Market market = source.market();
        if (market == null) {
            String why = source.marketProblem();
            throw RefusedException.unavailable(
                    why.isEmpty()
                            ? "the market is not open yet; try again in a moment"
                            : "the market is not open, and running applications are free of charge: " + why
                                    + "; the ResourceManager tries to open it every few seconds");
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
            return MarketServices.open(market, sinceMillis, read, limits, peers, host);
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

    private Proof proof(
            MarketServices open, UserRoles known, RequestParts parts, Target target, String user, String address)
            throws RefusedException {
        long millis = Clocks.SYSTEM.date();
        long nanos = System.nanoTime();
        if (RequestVerifier.isSigned(parts)) {
            if (open.verifier() == null) {
                throw RefusedException.unavailable(
                        "signatures cannot be checked, because the cluster has no master key;"
                                + " an administrator must set " + WebKeys.MASTER_KEY.name());
            }
            RequestVerifier.Proof proven = open.verifier().verify(parts, target.changes(), address, millis, nanos);
            ApiKey key = proven.key();
            return new Proof(
                    known.known(key.owner(), How.SIGNATURE).limitedTo(key.cap()),
                    proven.nonce(),
                    proven.createdSeconds(),
                    proven.marks());
        }
        String authorization = parts.field("authorization");
        if (target.paper() && open.legacy() != null && LegacyVerifier.isSigned(parts.query(), authorization)) {
            LegacyVerifier.Proof proven = open.legacy()
                    .verify(
                            String.valueOf(parts.query()),
                            String.valueOf(authorization),
                            target.changes(),
                            address,
                            millis,
                            nanos);
            return new Proof(
                    UserRoles.legacy(proven.user(), proven.role()),
                    "legacy-" + proven.timestamp(),
                    proven.timestamp() / 1_000,
                    proven.marks());
        }
        if (target.changes()) {
            if (parts.method().equals("GET")) {
                throw RefusedException.unauthenticated(
                        "not-signed", "a change by GET must be signed; sign it, or send it as POST");
            }
            if (parts.field(csrfField.toLowerCase(Locale.ROOT)) == null) {
                throw RefusedException.badRequest("an unsigned change needs the header field " + csrfField
                        + ", which protects against pages of other sites; add it with any value");
            }
        }
        return new Proof(known.unsigned(user), UUID.randomUUID().toString(), millis / 1_000, List.of());
    }

    private static Map<String, Object> body(RequestParts parts, Target target) throws RefusedException {
        Route route = target.route();
        if (route == null || (parts.body().length == 0 && route.body().isEmpty())) {
            return Map.of();
        }
        if (route.body().isEmpty()) {
            throw RefusedException.badRequest("this operation has no body; send none");
        }
        if (parts.body().length == 0) {
            return Map.of();
        }
        String type = parts.field("content-type");
        if (type == null || !type.split(";", -1)[0].strip().equalsIgnoreCase("application/json")) {
            throw RefusedException.badRequest("the body's Content-Type must be application/json");
        }
        Map<String, Object> fields = RequestBody.read(parts.body());
        for (String name : fields.keySet()) {
            if (!route.body().contains(name)) {
                throw RefusedException.badRequest(
                        "the field '" + AccountNames.shown(name) + "' is unknown here; " + known(route.body()));
            }
        }
        return fields;
    }

    private static String idempotencyKey(RequestParts parts, Proof proof) {
        String given = parts.field(RequestVerifier.IDEMPOTENCY_FIELD);
        return given == null ? proof.nonce() : given;
    }

    private static String known(Collection<String> names) {
        return names.isEmpty() ? "there are none" : "the known ones are " + new TreeSet<>(names);
    }
}
