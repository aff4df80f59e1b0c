// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.settings.Sentences;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the web servers of one cluster: to the first of some addresses that answers, through the redirection of a
 * standby, with limits of time and size, and with Kerberos where the server demands it. What goes wrong is an {@link
 * IOException} whose message is one sentence.
 */
public final class WebClient {
    /** How long a server may take to answer, where nobody says otherwise. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int HOPS = 3;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final Pattern CLASS = Pattern.compile("\"value\"\\s*:\\s*\"([\\w.$]+)\"");
    private static final Pattern TYPE = Pattern.compile("\"type\"\\s*:\\s*\"(\\w+)\"");

    /** Fields that depend on the whole request, such as a signature. */
    public interface Signer {
        /** @param fields those that the request has already */
        Map<String, String> sign(String method, URI uri, String body, Map<String, String> fields);
    }

    private final List<URI> addresses;
    private final Duration patience;
    private final String hint;
    private final String user;
    private final @Nullable Negotiation negotiation;
    private final Signer signer;
    private final HttpClient client;

    /**
     * @param addresses of servers of which any will do, at least one
     * @param patience how long each of them may take
     * @param hint what a user can do about an address that does not answer, such as "give another one with --rm"
     */
    public WebClient(List<URI> addresses, Duration patience, String hint) {
        this(
                addresses,
                patience,
                hint,
                "",
                Negotiation.ofTicketCache(),
                (method, uri, body, fields) -> Map.of(),
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(patience)
                        .build());
    }

    private WebClient(
            List<URI> addresses,
            Duration patience,
            String hint,
            String user,
            @Nullable Negotiation negotiation,
            Signer signer,
            HttpClient client) {
        this.addresses = List.copyOf(addresses);
        this.patience = patience;
        this.hint = hint;
        this.user = user;
        this.negotiation = negotiation;
        this.signer = signer;
        this.client = client;
    }

    /** Asks as a user of a cluster with simple authentication; empty for nobody. */
    public WebClient as(String name) {
        return new WebClient(addresses, patience, hint, name, negotiation, signer, client);
    }

    /** Without Kerberos, because requests prove in another way who sends them. */
    public WebClient withoutKerberos() {
        return new WebClient(addresses, patience, hint, user, null, signer, client);
    }

    /** With another way to a ticket than that of kinit. */
    public WebClient with(Negotiation other) {
        return new WebClient(addresses, patience, hint, user, other, signer, client);
    }

    /** Adds fields to each request. */
    public WebClient with(Signer other) {
        return new WebClient(addresses, patience, hint, user, negotiation, other, client);
    }

    /**
     * The body of an answer.
     *
     * @param accept its media type
     * @throws IOException the server's own sentence if it refuses, or that it answers with something else
     */
    public String text(String path, String accept) throws IOException {
        WebAnswer answer = send("GET", path, "", Map.of("Accept", accept));
        if (!answer.isOk()) {
            throw new IOException(refusal(answer));
        }
        if (!answer.type().isEmpty() && !answer.type().equals(accept)) {
            throw new IOException(server(answer.uri()) + " answers with " + answer.type() + " instead of " + accept
                    + ", so it is another server" + (hint.isEmpty() ? "" : "; " + hint));
        }
        return answer.body();
    }

    /**
     * The answer of the first server that gives one, whatever its status.
     *
     * @param path with a leading slash, and its query
     * @throws IOException if none answers
     */
    public WebAnswer send(String method, String path, String body, Map<String, String> fields) throws IOException {
        IOException last = new IOException("no address is given; " + hint);
        for (URI address : addresses) {
            try {
                return follow(method, address.resolve(path), body, fields);
            } catch (NoTicketException e) {
                throw e;
            } catch (IOException e) {
                String way = hint.isEmpty() ? "" : "; " + hint;
                last = new IOException("there is no answer from " + server(address) + ": " + reason(e) + way, e);
            }
        }
        throw last;
    }

    private static String reason(IOException e) {
        if (e instanceof HttpTimeoutException) {
            return "it takes too long";
        }
        if (e instanceof ConnectException) {
            boolean unknown = e.getCause() instanceof UnresolvedAddressException
                    || (e.getCause() != null && e.getCause().getCause() instanceof UnresolvedAddressException);
            return unknown ? "there is no such host" : "the connection was refused";
        }
        return Sentences.of(e);
    }

    private WebAnswer follow(String method, URI first, String body, Map<String, String> fields) throws IOException {
        URI uri = first;
        if (!user.isEmpty()) {
            String separator = first.getRawQuery() == null ? "?" : "&";
            uri = URI.create(first + separator + "user.name=" + WebAddress.segment(user));
        }
        for (int hop = 0; hop <= HOPS; hop++) {
            HttpResponse<String> answer = once(method, uri, body, fields);
            Negotiation kerberos = negotiation;
            if (answer.statusCode() == UNAUTHORIZED && kerberos != null && negotiates(answer)) {
                Map<String, String> more = new TreeMap<>(fields);
                more.put("Authorization", ticket(kerberos, uri));
                answer = once(method, uri, body, more);
            }
            Optional<String> location = answer.headers().firstValue("Location");
            if (answer.statusCode() / 100 != 3 || location.isEmpty()) {
                return new WebAnswer(uri, answer.statusCode(), type(answer), answer.body(), date(answer));
            }
            uri = uri.resolve(location.get());
        }
        throw new IOException("it sends the request from one server to the next without end");
    }

    /** Nothing that another address could mend. */
    private static final class NoTicketException extends IOException {
        private static final long serialVersionUID = 1L;

        NoTicketException(String message, IOException cause) {
            super(message, cause);
        }
    }

    private static String ticket(Negotiation kerberos, URI uri) throws IOException {
        try {
            return kerberos.authorization(uri.getHost());
        } catch (IOException e) {
            throw new NoTicketException(server(uri) + " requires Kerberos, and " + Sentences.of(e), e);
        }
    }

    /** Without path and query, which may hold a secret. */
    private static String server(URI uri) {
        return uri.getScheme() + "://" + uri.getAuthority();
    }

    private static boolean negotiates(HttpResponse<String> answer) {
        return answer.headers().allValues("WWW-Authenticate").stream()
                .anyMatch(way -> way.toLowerCase(Locale.ROOT).startsWith("negotiate"));
    }

    private HttpResponse<String> once(String method, URI uri, String body, Map<String, String> fields)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(patience)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        fields.forEach(request::header);
        signer.sign(method, uri, body, fields).forEach(request::header);
        try {
            return client.send(request.build(), LimitedText::new);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the request was interrupted", e);
        }
    }

    private static String type(HttpResponse<String> answer) {
        String type = answer.headers().firstValue("Content-Type").orElse("");
        return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static long date(HttpResponse<String> answer) {
        try {
            return answer.headers()
                    .firstValue("Date")
                    .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME))
                    .map(time -> time.toInstant().toEpochMilli())
                    .orElse(0L);
        } catch (DateTimeParseException e) {
            return 0;
        }
    }

    /** What a user reads about an answer that refuses: the server's sentence, or what the server is. */
    public String refusal(WebAnswer answer) {
        String server = server(answer.uri());
        if (answer.status() == NOT_FOUND && answer.uri().getPath().startsWith("/heddle/")) {
            String running = scheduler();
            boolean market = answer.uri().getPath().startsWith("/heddle/market");
            boolean serves = running.startsWith(market ? "org.heddle.market." : "org.heddle.");
            if (!running.isEmpty() && !serves) {
                return "the ResourceManager at " + server + " runs " + running.replaceFirst(".*\\.", "")
                        + ", which does not answer this";
            }
        }
        String said = answer.sentence();
        if (answer.status() == UNAUTHORIZED && said.isEmpty()) {
            return server + " requires authentication; run kinit, or give the name of a user if the cluster is without"
                    + " Kerberos";
        }
        return said.isEmpty() ? server + " answers with status " + answer.status() : said;
    }

    /** The class of the scheduler that a ResourceManager runs, or YARN's word for it; empty if it does not tell. */
    public String scheduler() {
        try {
            Matcher type = CLASS.matcher(send(
                            "GET",
                            "/conf?name=yarn.resourcemanager.scheduler.class&format=json",
                            "",
                            Map.of("Accept", "application/json"))
                    .body());
            if (type.find()) {
                return type.group(1);
            }
            Matcher reported =
                    TYPE.matcher(send("GET", "/ws/v1/cluster/scheduler", "", Map.of("Accept", "application/json"))
                            .body());
            if (!reported.find()) {
                return "";
            }
            String word = reported.group(1);
            return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
        } catch (IOException e) {
            return "";
        }
    }
}
