// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.agent;

import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.heddle.market.agent.AgentEvent;
import org.heddle.market.agent.AgentLoop;
import org.heddle.market.agent.BudgetStrategy;
import org.heddle.market.agent.DeadlineStrategy;
import org.heddle.market.agent.RateStrategy;
import org.heddle.market.agent.rest.YarnProgress;
import org.heddle.market.agent.rest.YarnRest;
import org.heddle.market.cli.client.KeyFile;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.security.RequestSigner;

/**
 * An agent inside a Java program: sets the rate of an account while an application runs, on a daemon thread, and sets
 * it back at the end or when it is closed. {@code heddle market agent} is the same as a process of its own.
 *
 * <pre>{@code
 * try (RateAgent agent = RateAgent.start(List.of(URI.create("http://rm:8088")), keyFile, "alice",
 *         applicationId, RateAgent.deadline(finish), System.out::println)) {
 *     job.waitForCompletion(true);
 * }
 * }</pre>
 */
public final class RateAgent implements AutoCloseable {
    /** The market takes no higher rate. */
    static final double HIGHEST_RATE = 1_000_000;

    private final AgentLoop loop;
    private final Thread thread;
    private volatile boolean closed;

    private RateAgent(AgentLoop loop) {
        this.loop = loop;
        this.thread = new Thread(this::run, "market-agent");
        this.thread.setDaemon(true);
    }

    /** Ends the application at a time, at the lowest cost. */
    public static RateStrategy deadline(Instant finish) {
        return new DeadlineStrategy(finish.toEpochMilli(), Double.POSITIVE_INFINITY, HIGHEST_RATE);
    }

    /** Pays for the rest of the application with so many credits and never more. */
    public static RateStrategy budget(double credits) {
        return new BudgetStrategy(credits, 0, HIGHEST_RATE);
    }

    /**
     * Starts an agent.
     *
     * @param resourceManagers addresses of the ResourceManagers of one cluster, for example http://rm.example.org:8088
     * @param keyFile as {@code heddle market keys create} writes it
     * @param account whose rate is set
     * @param applicationId of the application whose progress decides
     * @param log receives each change with its reason
     */
    public static RateAgent start(
            List<URI> resourceManagers,
            Path keyFile,
            String account,
            String applicationId,
            RateStrategy strategy,
            Consumer<AgentEvent> log) {
        KeyFile key = KeyFile.read(keyFile);
        RequestSigner signer = new RequestSigner(key.cluster(), key.keyId(), key.secretBytes(), new SecureRandom());
        MarketClient client = new MarketClient(resourceManagers, signer, Clock.systemUTC());
        YarnRest yarn = new YarnRest(resourceManagers, System.getProperty("user.name"));
        RateAgent agent = new RateAgent(new AgentLoop(
                new RestMarketAccess(client, account),
                new YarnProgress(yarn, () -> List.of(applicationId), "the id " + applicationId, 0),
                strategy,
                false,
                log));
        agent.thread.start();
        return agent;
    }

    private void run() {
        while (!closed && loop.step()) {
            LockSupport.parkNanos(loop.pauseMillis() * 1_000_000);
        }
        loop.stop();
    }

    /** Sets the rate back and ends the thread. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the thread ends by itself, after it has set the rate back
        }
    }
}
