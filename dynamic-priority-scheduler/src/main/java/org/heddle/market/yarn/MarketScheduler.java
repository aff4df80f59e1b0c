// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.heddle.market.floor.FloorQueue;
import org.heddle.market.floor.MarketFloor;
import org.heddle.market.floor.Steering;
import org.heddle.market.http.MarketHooks;
import org.heddle.market.http.MarketSource;
import org.heddle.market.ledger.LedgerMarket;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.QueueHost;
import org.heddle.market.model.MarketTerms;
import org.heddle.market.model.QueueState;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DRF scheduler with a market: at each boundary it settles what queues have used and sets the engine's weights anew.
 * Between boundaries it only meters, when a container begins or ends; a node's heartbeat that does neither costs nothing.
 *
 * <p>The floor is guarded by the scheduler's lock. One thread of its own turns the epochs and shows the floor to pages; it
 * holds that lock for as long as an epoch takes to reckon, and never while the books are written.
 *
 * <p>The market is opened when the scheduler starts, or by the first application if that comes before: a
 * ResourceManager recovers applications before it starts its services, and they need their queues.
 */
public abstract class MarketScheduler extends HeddleScheduler implements MarketSource {
    private static final Logger LOG = LoggerFactory.getLogger(MarketScheduler.class);
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private LongSupplier monotonic = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    private LongSupplier wall = System::currentTimeMillis;
    private final Map<String, String> leafOrders = new HashMap<>();
    private final Map<String, Claim> metered = new TreeMap<>();
    private MarketTerms terms;
    private long preemptionMillis;
    private MarketFloor floor;
    private Steering steering;
    private volatile @Nullable LedgerMarket market;
    private volatile long marketSinceMillis;
    private volatile SchedulerSpec configured;
    private @Nullable EpochClock clock;

    /** @param name how the scheduler is called in logs and queue reports */
    @SuppressWarnings("NullAway.Init") // set in serviceInit, before anything else can be called
    protected MarketScheduler(String name) {
        super(name);
    }

    @Override
    public @Nullable Market market() {
        return market;
    }

    @Override
    public long marketSinceMillis() {
        return marketSinceMillis;
    }

    /** For tests, between init and start. */
    void useClocks(LongSupplier newMonotonic, LongSupplier newWall) {
        monotonic = newMonotonic;
        wall = newWall;
    }

    // ---- service ----

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        terms = MarketSetup.terms(conf);
        preemptionMillis = MarketKeys.PREEMPTION_INTERVAL_MS.read(conf::get);
        super.serviceInit(conf);
        MarketSetup.standardSlot(conf, resourceNames()); // lest a wrong one be found out at the first failover
        MarketHooks.install(conf);
    }

    @Override
    public void serviceStart() throws Exception {
        openMarket();
        super.serviceStart();
        EpochClock started = new EpochClock(this::tick, this::pauseMillis);
        clock = started;
        started.start();
    }

    @Override
    public void serviceStop() throws Exception {
        EpochClock running = clock;
        if (running != null) {
            running.end();
        }
        LedgerMarket open = market;
        if (open != null) {
            underLock(() -> turn(open));
            market = null;
            open.close();
        }
        super.serviceStop();
    }

    private void openMarket() throws IOException {
        if (market != null) {
            return;
        }
        Configuration conf = getConfig();
        long[] slot = MarketSetup.standardSlot(conf, resourceNames());
        LedgerMarket opened = new LedgerMarket(
                terms,
                MarketSetup.store(conf, terms),
                wall,
                Duration.ofMillis(MarketKeys.STORE_TIMEOUT_MS.read(conf::get)));
        opened.open();
        opened.hostedBy(new Host());
        marketSinceMillis = wall.getAsLong();
        underLock(() -> {
            floor = new MarketFloor(terms, slot, monotonic.getAsLong());
            floor.capacity(monotonic.getAsLong(), capacityVector());
            steering = new Steering(engine(), floor);
            market = opened;
        });
        String objection = adaptAgain();
        if (objection != null) {
            LOG.error("The market's queues cannot be opened: {}", objection);
        }
        LOG.info(
                "The market of cluster {} is open with {} queues",
                terms.clusterId(),
                opened.accountNames().size());
    }

    private long[] capacityVector() {
        long[] capacity = new long[resourceNames().size()];
        java.util.Arrays.setAll(capacity, engine()::capacity);
        return capacity;
    }

    @Override
    public void handle(SchedulerEvent event) {
        if (market == null && event instanceof AppAddedSchedulerEvent) {
            try {
                openMarket();
            } catch (IOException e) {
                LOG.error("The market cannot be opened: {}", e.getMessage());
            }
        }
        super.handle(event);
    }

    // ---- queues ----

    @Override
    protected SchedulerSpec adapt(SchedulerSpec fromFile) {
        configured = fromFile;
        LedgerMarket open = market;
        List<String> accounts = new ArrayList<>();
        if (open != null) {
            accounts.addAll(open.accountNames());
            for (String path : metered.keySet()) {
                List<?> running = getAppsInQueue(path);
                if (running != null && !running.isEmpty()) {
                    accounts.add(MarketQueues.name(path)); // closed meanwhile: stays until it is empty
                }
            }
        }
        SchedulerSpec adapted = MarketQueues.of(fromFile, accounts, preemptionMillis);
        leafOrders.clear();
        adapted.root().all().filter(QueueSpec::isLeaf).forEach(leaf -> leafOrders.put(leaf.path(), leaf.order()));
        return adapted;
    }

    @Override
    protected void queuesChanged() {
        LedgerMarket open = market;
        if (open != null) {
            takeIn(open);
            steer();
            show(open, monotonic.getAsLong());
        }
    }

    /** Meters every queue that takes applications, also those that come into being when somebody asks for them. */
    private void takeIn(LedgerMarket open) {
        long now = monotonic.getAsLong();
        Map<String, Claim> leaves = leafClaims();
        if (leaves.equals(metered)) {
            return;
        }
        for (String gone : metered.keySet().stream()
                .filter(path -> !leaves.containsKey(path))
                .toList()) {
            floor.close(MarketQueues.name(gone));
            metered.remove(gone);
        }
        leaves.forEach((path, claim) -> {
            if (!claim.equals(metered.put(path, claim))) {
                FloorQueue queue = floor.queue(MarketQueues.name(path), now);
                floor.used(queue, now, claim.usage());
                claim.meter(usage -> floor.used(queue, monotonic.getAsLong(), usage));
            }
        });
        open.openAccounts(leaves.keySet().stream().map(MarketQueues::name).toList());
        steer();
    }

    @Override
    protected void capacityChanged(long[] capacity) {
        if (market != null) {
            floor.capacity(monotonic.getAsLong(), capacity);
        }
    }

    /** Sets weights and orders of all queues: of leaves as the floor says, of others as their leaves add up. */
    private void steer() {
        Map<Claim, Double> sums = new HashMap<>();
        Map<Claim, Boolean> pays = new HashMap<>();
        metered.forEach((path, claim) -> {
            FloorQueue queue = floor.queue(MarketQueues.name(path), monotonic.getAsLong());
            double weight = steering.steer(claim, queue, newOrder(leafOrders.getOrDefault(path, DrfOrder.NAME)));
            for (Claim above = claim.parent(); above != null && above.parent() != null; above = above.parent()) {
                sums.merge(above, weight, Double::sum);
                pays.merge(above, queue.state() == QueueState.PAYING, Boolean::logicalOr);
            }
        });
        sums.forEach((parent, weight) -> steering.weigh(parent, weight, pays.getOrDefault(parent, false)));
    }

    // ---- epochs ----

    private long pauseMillis() {
        long due = floor.startMillis() + terms.intervalMillis() - monotonic.getAsLong();
        return Math.max(1, Math.min(LONGEST_PAUSE_MILLIS, due));
    }

    /** Turns the epoch if its time has come, pays incomes that are due, and shows how things stand. */
    void tick() {
        LedgerMarket open = market;
        if (open == null) {
            return;
        }
        open.payIncomes();
        underLock(() -> {
            takeIn(open);
            long now = monotonic.getAsLong();
            noteDemand();
            long age = now - floor.startMillis();
            boolean early = terms.earlyEpoch() && age >= terms.minIntervalMillis() && floor.hasNewcomer(open.funds());
            if (age >= terms.intervalMillis() || early) {
                turn(open);
            }
            show(open, now);
        });
    }

    private void turn(LedgerMarket open) {
        noteDemand();
        open.turn(floor, monotonic.getAsLong());
        steer();
    }

    private void noteDemand() {
        metered.forEach((path, claim) ->
                floor.queue(MarketQueues.name(path), monotonic.getAsLong()).demand(claim.running(), claim.pending()));
    }

    private void show(LedgerMarket open, long now) {
        open.publish(floor.view(now, open.funds()));
    }

    /** How the market's door reaches the queues. */
    private final class Host implements QueueHost {
        @Override
        public @Nullable String objection(String queue) {
            String path = MarketQueues.path(queue);
            if (configured.root().all().anyMatch(each -> each.path().equals(path))) {
                return "Queue " + queue + " is configured in the scheduler's file; remove it there first";
            }
            List<?> applications = getAppsInQueue(path);
            return applications == null || applications.isEmpty()
                    ? null
                    : "Queue " + queue + " has " + applications.size()
                            + " applications; move them (yarn application -changeQueue) or wait for their end";
        }

        @Override
        public void changed() {
            String objection = adaptAgain();
            if (objection != null) {
                LOG.error("The market's queues could not be changed: {}", objection);
            }
        }
    }
}
