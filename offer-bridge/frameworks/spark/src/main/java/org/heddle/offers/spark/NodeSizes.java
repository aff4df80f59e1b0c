// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.heddle.offers.client.protocol.HttpTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sizes of the cluster's nodes, so that an executor which fits none is refused at once. */
final class NodeSizes {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSizes.class);
    private static final int TIMEOUT_MILLIS = 10_000;

    private final List<ExecutorSize> nodes;

    NodeSizes(List<ExecutorSize> nodes) {
        this.nodes = nodes;
    }

    /** Asks the bridges; without an answer no sizes are known, and nothing is refused. */
    static NodeSizes of(OffersSettings settings) {
        for (URI bridge : settings.master().addresses(settings.tls())) {
            try {
                return parse(read(bridge.resolve("/slaves"), settings));
            } catch (IOException e) {
                LOG.debug("{} does not tell the sizes of nodes", bridge, e);
            }
        }
        return new NodeSizes(List.of());
    }

    private static JsonNode read(URI address, OffersSettings settings) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        SSLContext trust = settings.trust();
        if (trust != null && connection instanceof HttpsURLConnection) {
            ((HttpsURLConnection) connection).setSSLSocketFactory(trust.getSocketFactory());
        }
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        if (!settings.principal().isEmpty()) {
            connection.setRequestProperty(
                    "Authorization", HttpTransport.basic(settings.principal(), settings.secret()));
        }
        try (InputStream body = connection.getInputStream()) {
            return new ObjectMapper().readTree(body);
        }
    }

    /** @param answer of the bridge's {@code /slaves} */
    static NodeSizes parse(JsonNode answer) {
        List<ExecutorSize> nodes = new ArrayList<>();
        for (JsonNode node : answer.path("slaves")) {
            JsonNode resources = node.path("resources");
            nodes.add(new ExecutorSize(
                    resources.path("cpus").asInt(), resources.path("mem").asLong()));
        }
        return new NodeSizes(nodes);
    }

    /** Why no node can have such an executor; empty if one can, or if no node is known. */
    String problem(ExecutorSize executor) {
        if (nodes.isEmpty()
                || nodes.stream().anyMatch(node -> executor.fitsIn(node.cores(), (double) node.memMb()) > 0)) {
            return "";
        }
        long cores = nodes.stream().mapToLong(ExecutorSize::cores).max().orElse(0);
        long memMb = nodes.stream().mapToLong(ExecutorSize::memMb).max().orElse(0);
        return "an executor needs " + executor + ", and no node is that large (the most are " + cores + " cores and "
                + memMb + " MiB): make spark.executor.memory, its overhead or spark.executor.cores smaller";
    }
}
