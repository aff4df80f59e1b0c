// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NMToken;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts agents in the containers of one application, with the tokens for its nodes. Any thread. */
final class AgentLauncher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentLauncher.class);
    /** Answers of a NodeManager that has started the container already: ContainerManagerImpl. */
    private static final Pattern ALREADY = Pattern.compile(
            "Attempt to relaunch the same container|already is running on this node|is already started");

    private final Configuration conf;
    private final NMTokenCache tokens = new NMTokenCache();

    @GuardedBy("this")
    private @Nullable NMClient client;

    AgentLauncher(Configuration conf) {
        this.conf = conf;
    }

    void add(List<NMToken> received) {
        for (NMToken token : received) {
            tokens.setToken(token.getNodeId().toString(), token.getToken());
        }
    }

    /** Starts an agent, unless a former bridge has started it. Then it connects, or YARN reports its end. */
    void start(AppMasterSession session, Container container, ContainerLaunchContext agent)
            throws YarnException, IOException {
        try {
            client(session).startContainer(container, agent);
        } catch (YarnException | IOException | RuntimeException e) {
            if (!ALREADY.matcher(String.valueOf(e.getMessage())).find()) {
                throw e;
            }
            LOG.info("{} has been started already", container.getId());
        }
    }

    /** Tells the node of a container that has become larger. */
    void update(AppMasterSession session, Container container) throws YarnException, IOException {
        client(session).updateContainerResource(container);
    }

    private synchronized NMClient client(AppMasterSession session) throws YarnException, IOException {
        NMClient known = client;
        if (known == null) {
            known = session.as(() -> {
                NMClient made = NMClient.createNMClient();
                made.setNMTokenCache(tokens);
                // Containers must survive this process.
                made.cleanupRunningContainersOnStop(false);
                made.init(conf);
                made.start();
                return made;
            });
            client = known;
        }
        return known;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.stop();
        }
    }
}
