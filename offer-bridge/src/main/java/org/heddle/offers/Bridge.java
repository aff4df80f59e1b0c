// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.heddle.offers.http.AgentFront;
import org.heddle.offers.http.Credentials;
import org.heddle.offers.http.HttpFront;
import org.heddle.offers.http.Pages;
import org.heddle.offers.http.Router;
import org.heddle.offers.http.SchedulerApi;
import org.heddle.offers.http.Tls;
import org.heddle.offers.master.Loop;
import org.heddle.offers.master.Master;
import org.heddle.offers.store.Journal;
import org.heddle.offers.yarn.YarnCluster;
import org.jspecify.annotations.Nullable;

/** A running bridge: wiring only. Closing it leaves applications and tasks as they are, for the next one to take over. */
public final class Bridge implements AutoCloseable {
    private final Journal journal;
    private final @Nullable Credentials credentials;
    private final HttpFront http = new HttpFront();
    private final AgentFront agents = new AgentFront();
    private final YarnCluster cluster;
    private final Loop loop;
    private final InetSocketAddress httpAddress;
    private final InetSocketAddress agentAddress;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Master master;

    private Bridge(BridgeSettings settings, Configuration conf) throws IOException {
        credentials = settings.access().credentials();
        Tls tls = settings.access().tls();
        journal = Journal.open(settings.stateDirectory());
        try {
            agentAddress = agents.open(settings.agents(), settings.access().tls(), () -> {
                Master ready = master;
                return ready == null ? null : ready.agents();
            });
            httpAddress = http.open(
                    settings.http(),
                    settings.largestBody(),
                    settings.access().connections(),
                    settings.access().tls(),
                    this::router);
            cluster = new YarnCluster(
                    conf,
                    settings.yarn()
                            .withBridge(
                                    settings.agents().getHostString() + ":" + agentAddress.getPort(),
                                    tls == null ? "" : tls.fingerprint()));
            loop = new Loop(System::currentTimeMillis, journal, ended::countDown);
            Master made = new Master(
                    loop,
                    cluster,
                    settings.limits(),
                    UUID.randomUUID().toString(),
                    settings.http().getHostString(),
                    httpAddress.getAddress().getHostAddress(),
                    httpAddress.getPort(),
                    tls != null);
            made.recover(journal, System.currentTimeMillis());
            cluster.open(made);
            loop.start();
            master = made;
        } catch (IOException | RuntimeException e) {
            http.close();
            agents.close();
            journal.close();
            throw e;
        }
    }

    /**
     * Starts a bridge.
     *
     * @param conf of the YARN cluster
     * @throws IOException one sentence: a port or the state directory is taken, the journal is damaged, or YARN's staging
     *     directory cannot be written
     */
    public static Bridge start(BridgeSettings settings, Configuration conf) throws IOException {
        return new Bridge(settings, conf);
    }

    private @Nullable Router router() {
        Master ready = master;
        return ready == null
                ? null
                : new Router(
                        ready,
                        new SchedulerApi(ready, credentials),
                        new Pages(ready, httpAddress.getHostString() + ":" + httpAddress.getPort()),
                        credentials);
    }

    public InetSocketAddress httpAddress() {
        return httpAddress;
    }

    public InetSocketAddress agentAddress() {
        return agentAddress;
    }

    /** Waits until the bridge cannot go on. */
    public void await() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() throws IOException {
        http.close();
        agents.close();
        loop.close();
        cluster.close();
        journal.close();
        ended.countDown();
    }
}
