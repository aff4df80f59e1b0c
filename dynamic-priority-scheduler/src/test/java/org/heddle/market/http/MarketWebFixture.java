// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.http.config.WebLimits;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.MemoryMarket;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.RateLimits.Limits;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;

/** A whole ResourceManager with its web server around a {@link MemoryMarket}, and clients for it. */
public final class MarketWebFixture implements AutoCloseable {
    public static final String MASTER = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    public static final List<String> ADDRESSES = List.of(
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
            YarnConfiguration.RM_ADMIN_ADDRESS,
            YarnConfiguration.RM_WEBAPP_ADDRESS);
    /** Tests send more than people do. */
    public static final Limits AMPLE = new Limits(100_000_000, 100_000_000, 100_000_000, 10_000, 50);

    private static final long HOUR = 3_600_000;

    private final ResourceManager rm = new ResourceManager();
    private final HttpClient client = HttpClient.newHttpClient();
    final MasterKeys masters = new MasterKeys(MemoryMarket.CLUSTER, MASTER, List.of());
    public final SecureRandom random = new SecureRandom();
    public MemoryMarket books = new MemoryMarket("alice", "bob", "science.physics");
    public Market market = books.market();

    public MarketWebFixture(Map<String, String> extraProperties) throws IOException {
        this(extraProperties, AMPLE);
    }

    public MarketWebFixture(Map<String, String> extraProperties, Limits limits) throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, FixedMarketScheduler.class.getName());
        for (String address : ADDRESSES) {
            conf.set(address, "127.0.0.1:0");
        }
        // Makes the ResourceManager write the port that it got into its configuration.
        conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true);
        conf.set(WebKeys.MASTER_KEY.name(), MASTER);
        conf.set(WebKeys.INSECURE_ROLE.name(), "viewer");
        extraProperties.forEach(conf::set);
        rm.init(conf);
        rm.start();
        scheduler().limit(WebLimits.DEFAULT.with(limits));
        scheduler().show(market, System.currentTimeMillis() - HOUR);
    }

    /** A failover: REST loses its memory, the ledger stays. */
    public void takeOver(long sinceMillis) throws IOException {
        market = books.another();
        scheduler().show(market, sinceMillis);
    }

    public org.apache.hadoop.conf.Configuration configuration() {
        return rm.getConfig();
    }

    /** Shows another market, with these accounts. */
    public void show(String... accounts) throws IOException {
        books.close();
        books = new MemoryMarket(accounts);
        market = books.market();
        scheduler().show(market, System.currentTimeMillis() - HOUR);
    }

    public FixedMarketScheduler scheduler() {
        return (FixedMarketScheduler) rm.getResourceScheduler();
    }

    public URI uri(String path) {
        String address = String.valueOf(rm.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS));
        return URI.create("http://127.0.0.1" + address.substring(address.lastIndexOf(':')) + path);
    }

    /** Signs as the holder of a key. */
    public RequestSigner signer(ApiKey key) {
        return new RequestSigner(MemoryMarket.CLUSTER, key.id(), secret(key), random);
    }

    private byte[] secret(ApiKey key) {
        byte[] secret = masters.secret(key);
        if (secret == null) {
            throw new AssertionError("no master key for " + key);
        }
        return secret;
    }

    public RequestSigner operator() {
        return signer(KeyRing.operatorKey(masters));
    }

    public HttpRequest.Builder request(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return request;
    }

    public HttpRequest signed(RequestSigner signer, String method, String path, String body, long atMillis)
            throws RefusedException {
        HttpRequest.Builder request = request(method, path, body);
        fields(signer, method, path, body, atMillis).forEach(request::header);
        return request.build();
    }

    public Map<String, String> fields(RequestSigner signer, String method, String path, String body, long atMillis)
            throws RefusedException {
        URI uri = uri(path);
        Map<String, List<String>> fields = new HashMap<>();
        if (!body.isEmpty()) {
            fields.put("Content-Type", List.of("application/json"));
        }
        RequestParts parts = new RequestParts(
                method, "http", "", uri.getRawPath(), uri.getRawQuery(), fields, body.getBytes(StandardCharsets.UTF_8));
        return signer.sign(parts, atMillis / 1_000);
    }

    public HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    public CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    public HttpResponse<String> sign(RequestSigner signer, String method, String path, String body) throws Exception {
        return send(signed(signer, method, path, body, System.currentTimeMillis()));
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request("GET", path, "").build());
    }

    @Override
    public void close() throws IOException {
        rm.stop();
        books.close();
    }
}
