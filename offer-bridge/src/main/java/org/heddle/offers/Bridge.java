// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.heddle.journal.InUseException;
import org.heddle.journal.LogPoint;
import org.heddle.journal.LogStorage;
import org.heddle.journal.UnavailableException;
import org.heddle.journal.hdfs.LogPlace;
import org.heddle.offers.http.AgentKey;
import org.heddle.offers.http.AgentServer;
import org.heddle.offers.http.ApiServer;
import org.heddle.offers.http.Credentials;
import org.heddle.offers.http.HttpEndpoints;
import org.heddle.offers.http.RequestGuard;
import org.heddle.offers.http.Router;
import org.heddle.offers.http.SchedulerApi;
import org.heddle.offers.http.StandbyRouter;
import org.heddle.offers.http.Tls;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.store.Journal;
import org.heddle.offers.yarn.AgentReach;
import org.heddle.offers.yarn.YarnCluster;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running bridge: it connects the parts and has no logic of its own. A single bridge leads at once; one of several
 * stands by until it is elected. Closing a bridge does not end applications or tasks: the next bridge takes them over.
 */
public final class Bridge implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);
    private static final long LOCK_MILLIS = 50;

    /** The parts that exist only while the bridge leads. */
    private record Leading(Journal journal, YarnCluster cluster, StateExecutor loop, Master master) {}

    private final BridgeSettings settings;
    private final Configuration conf;
    private final LogStorage state;
    private final Journal.Outage outage;
    private final ApiServer http = new ApiServer();
    private final AgentServer agents = new AgentServer();
    private final InetSocketAddress httpAddress;
    private final InetSocketAddress agentAddress;
    /** Null on a loopback address, where no others read the connections. */
    private final @Nullable Tls agentTls;

    /** Why the state directory cannot be used, as it was told last. */
    private volatile String unavailable = "";

    private final CountDownLatch ended = new CountDownLatch(1);
    private final @Nullable LeaderElection election;
    /** A standby connects to YARN before it is elected, because that is the slowest step of a takeover. */
    private volatile @Nullable YarnCluster ready;

    private volatile @Nullable Leading leading;
    private volatile boolean closed;

    private Bridge(BridgeSettings settings, Configuration conf) throws IOException {
        this.settings = settings;
        this.conf = conf;
        state = state(settings.state(), conf);
        outage = new StateOutage(this::stateUnavailable);
        agentTls =
                settings.agents().getAddress().isLoopbackAddress() ? null : outage.withRoom(() -> AgentKey.open(state));
        try {
            agentAddress = agents.open(settings.agents(), agentTls, () -> {
                Leading now = leading;
                return now == null ? null : now.master.agents();
            });
            httpAddress = http.open(
                    settings.http(), ApiServer.Limits.USUAL, settings.access().tls(), this::route);
            BridgeSettings.Standby standby = settings.standby();
            if (standby == null) {
                election = null;
                leading = lead(outage.withRoom(() -> Journal.open(state, outage)), null);
            } else {
                ready = connect();
                election = new LeaderElection(standby, address());
                election.begin(this::elected, ended::countDown);
            }
        } catch (IOException | RuntimeException e) {
            http.close();
            agents.close();
            state.close();
            throw e;
        }
    }

    /**
     * Starts a bridge.
     *
     * @param conf of the YARN cluster
     * @throws IOException one sentence: a port or the state directory is taken, the journal is damaged, or YARN's
     *     staging directory cannot be written
     */
    public static Bridge start(BridgeSettings settings, Configuration conf) throws IOException {
        return new Bridge(settings, conf);
    }

    private static LogStorage state(String place, Configuration conf) throws IOException {
        try {
            return LogPlace.storage(place, conf, LogPoint.Watcher.NONE);
        } catch (IllegalArgumentException e) {
            throw new IOException("heddle.bridge.state.dir: " + e.getMessage(), e);
        }
    }

    /** The host name by which others reach this machine. */
    private String host() {
        try {
            if (!settings.hostname().isEmpty()) {
                return settings.hostname();
            }
            if (httpAddress.getAddress().isAnyLocalAddress()) {
                return InetAddress.getLocalHost().getCanonicalHostName();
            }
            return settings.http().getHostString();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("this machine does not know its name: set heddle.bridge.hostname", e);
        }
    }

    private String address() {
        return host() + ":" + httpAddress.getPort();
    }

    private String ip() throws IOException {
        if (httpAddress.getAddress().isAnyLocalAddress()) {
            return InetAddress.getAllByName(host())[0].getHostAddress();
        }
        return httpAddress.getAddress().getHostAddress();
    }

    private YarnCluster connect() throws IOException {
        String known = settings.agentAddresses();
        String reached = known.isEmpty() ? agentHost() + ":" + agentAddress.getPort() : known;
        return new YarnCluster(
                conf, settings.yarn().withBridge(reached, agentTls == null ? "" : agentTls.fingerprint()));
    }

    private String agentHost() throws IOException {
        if (!agentAddress.getAddress().isAnyLocalAddress()) {
            return settings.agents().getHostString();
        }
        if (settings.hostname().isEmpty()) {
            return AgentReach.towardsResourceManager(conf).getHostAddress();
        }
        return settings.hostname();
    }

    private Leading lead(Journal journal, @Nullable YarnCluster prepared) throws IOException {
        YarnCluster cluster = prepared;
        try {
            if (cluster == null) {
                cluster = connect();
            }
            StateExecutor loop = new StateExecutor(Clocks.SYSTEM, journal, ended::countDown);
            Master master = new Master(
                    loop,
                    cluster,
                    settings.limits(),
                    new MasterIdentity(UUID.randomUUID().toString(), host(), ip(), httpAddress.getPort()));
            master.recover(journal, Clocks.SYSTEM.millis());
            master.warning("http.address without TLS", plainProblem());
            master.warning("state.dir in HDFS without ZooKeeper", aloneProblem());
            cluster.open(master);
            loop.start();
            return new Leading(journal, cluster, loop, master);
        } catch (IOException | RuntimeException e) {
            if (cluster != null) {
                cluster.close();
            }
            journal.close();
            throw e;
        }
    }

    private String plainProblem() {
        if (settings.access().tls() != null || httpAddress.getAddress().isLoopbackAddress()) {
            return "";
        }
        return "Frameworks send their secrets without encryption to " + address()
                + ", because heddle.bridge.http.plain is true: whoever reads this network can start commands as"
                + " their users. Where clients support TLS, set heddle.bridge.tls.keystore instead";
    }

    private void stateUnavailable(String sentence) {
        Leading now = leading;
        if (now != null) {
            now.master.warning("state.dir cannot be written", sentence);
        } else if (!sentence.isEmpty() && !sentence.equals(unavailable)) {
            LOG.warn("This bridge cannot lead yet. {}", sentence);
        }
        unavailable = sentence;
    }

    private String aloneProblem() {
        if (settings.standby() != null || !LogPlace.isRemote(settings.state())) {
            return "";
        }
        return "No lock keeps a second bridge away from heddle.bridge.state.dir in HDFS: one that starts takes the lead, and"
                + " this one ends. Start only one, or set heddle.bridge.ha.zookeeper for all of them";
    }

    private void elected() {
        try {
            Journal journal = awaitJournal();
            if (journal != null) {
                Leading now = lead(journal, ready);
                leading = now;
                Objects.requireNonNull(election).publish(now.master.info());
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("elected, but it cannot lead: the bridge stops", e);
            ended.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The former leader may still lock the state directory. It ends soon, because it has lost its session too. An HDFS
     * that does not answer has as much time as one that a leader uses.
     */
    private @Nullable Journal awaitJournal() throws IOException, InterruptedException {
        while (!closed) {
            try {
                Journal journal = Journal.open(state, outage);
                outage.end();
                return journal;
            } catch (InUseException e) {
                LOG.info("elected, waiting until the former leader unlocks the state directory: {}", e.getMessage());
                TimeUnit.MILLISECONDS.sleep(LOCK_MILLIS);
            } catch (UnavailableException e) {
                if (!outage.pause(e)) {
                    throw e;
                }
            }
        }
        return null;
    }

    private ApiServer.@Nullable Route route() {
        Leading now = leading;
        LeaderElection current = election;
        if (now != null) {
            Credentials credentials = settings.access().credentials();
            return new ApiServer.Route(
                    new RequestGuard(credentials, host()),
                    new Router(
                            now.master,
                            new SchedulerApi(now.master, credentials),
                            new HttpEndpoints(now.master, address()),
                            credentials));
        }
        return current == null ? null : new ApiServer.Route(new StandbyRouter(current::leader), null);
    }

    /** Where frameworks connect. */
    URI schedulerApi() {
        return URI.create(
                (settings.access().tls() == null ? "http" : "https") + "://" + address() + "/api/v1/scheduler");
    }

    public InetSocketAddress httpAddress() {
        return httpAddress;
    }

    public InetSocketAddress agentAddress() {
        return agentAddress;
    }

    /** Waits until the bridge stops. */
    public void await() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        if (election != null) {
            election.close();
        }
        http.close();
        agents.close();
        Leading now = leading;
        if (now != null) {
            now.loop.close();
            now.cluster.close();
            now.journal.close();
        } else if (ready != null) {
            ready.close();
        }
        state.close();
        ended.countDown();
    }
}
