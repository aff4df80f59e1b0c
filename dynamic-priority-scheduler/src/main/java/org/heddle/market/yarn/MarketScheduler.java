// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.EpochSnapshot;
import org.heddle.market.epoch.QueueMeters;
import org.heddle.market.http.MarketHooks;
import org.heddle.market.http.MarketSource;
import org.heddle.market.http.auth.VoucherService;
import org.heddle.market.ledger.EpochTerms;
import org.heddle.market.ledger.LedgerMarket;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.QueueHost;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.StartPolicy;
import org.heddle.market.security.RefusedException;
import org.heddle.scheduler.engine.Schedulable;
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
 * holds that lock while an epoch is reckoned and weights are set, and neither while the books are written nor while
 * anybody looks at them: the books' lock is outside the scheduler's.
 *
 * <p>A little long because whatever the DRF scheduler asks its subclass ends here; each answer is short.
 *
 * <p>The market is opened when the scheduler starts, or by the first application if that comes before: a
 * ResourceManager recovers applications before it starts its services, and they need their queues.
 */
public abstract class MarketScheduler extends HeddleScheduler implements MarketSource {
    private static final Logger LOG = LoggerFactory.getLogger(MarketScheduler.class);
    private static final long LONGEST_PAUSE_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 5_000;

    private LongSupplier monotonic = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    private LongSupplier wall = System::currentTimeMillis;
    private final Map<String, String> leafOrders = new HashMap<>();
    private final Queue<String> withoutAccount = new ConcurrentLinkedQueue<>();
    private MarketTerms terms;
    private long preemptionMillis;
    private EpochMeter floor;
    private QueueMeters roster;
    private long rosterGeneration = -1;
    private volatile @Nullable LedgerMarket market;
    private volatile long marketSinceMillis;
    /** Why the market could not be opened when that was last tried; empty if it was not. */
    private volatile String problem = "";

    private volatile long nextTryMillis;
    private final Object opening = new Object();
    private volatile SchedulerSpec configured;
    private volatile SchedulerSpec inForce;
    private @Nullable EpochClock clock;
    private SubmissionCheck submissions;

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

    @Override
    public String marketProblem() {
        return problem;
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
        submissions = new SubmissionCheck(
                SubmissionCheck.policy(conf), this::openVouchers, this::mayEnter, () -> wall.getAsLong());
        super.serviceInit(conf);
        submissions.watch(rmContext.getQueuePlacementManager());
        MarketSetup.standardSlot(conf, resourceNames()); // lest a wrong one be found out at the first failover
        MarketHooks.install(conf);
    }

    @Override
    public void serviceStart() throws Exception {
        if (MarketKeys.STORE_AT_START.read(getConfig()::get) == StartPolicy.STOP) {
            openMarket();
        } else {
            tryToOpen();
        }
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
            open.turn(boundary -> underLock(boundary, this::turnNow));
            market = null;
            open.close();
        }
        super.serviceStop();
    }

    private boolean mayEnter(String user, String path) {
        return checkAccess(UserGroupInformation.createRemoteUser(user), QueueACL.SUBMIT_APPLICATIONS, path);
    }

    private VoucherService openVouchers() throws RefusedException {
        LedgerMarket open = market;
        if (open == null) {
            throw RefusedException.unavailable("there is no market now: " + problem);
        }
        return VoucherService.open(getConfig(), open);
    }

    private void tryToOpen() {
        try {
            openMarket();
        } catch (IOException e) {
            nextTryMillis = monotonic.getAsLong() + RETRY_MILLIS;
            if (!String.valueOf(e.getMessage()).equals(problem)) {
                LOG.error(
                        "The market cannot be opened; until it can, all is scheduled first come, first served, and"
                                + " free of charge: {}",
                        e.getMessage());
            }
            problem = String.valueOf(e.getMessage());
        }
    }

    private void openMarket() throws IOException {
        synchronized (opening) {
            if (market == null) {
                open();
            }
        }
    }

    private void open() throws IOException {
        Configuration conf = getConfig();
        long[] slot = MarketSetup.standardSlot(conf, resourceNames());
        LedgerMarket opened = new LedgerMarket(
                terms,
                MarketSetup.store(conf, terms, wall),
                wall,
                Duration.ofMillis(MarketKeys.STORE_TIMEOUT_MS.read(conf::get)));
        try {
            opened.open();
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        opened.hostedBy(new Host());
        marketSinceMillis = wall.getAsLong();
        underLock(() -> {
            floor = new EpochMeter(terms, slot, monotonic.getAsLong());
            floor.capacity(monotonic.getAsLong(), capacityVector());
            roster = new QueueMeters(engine(), floor, monotonic, MarketQueues::name);
            market = opened;
        });
        problem = "";
        adaptQueues(opened);
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
        if (!(event instanceof AppAddedSchedulerEvent added)) {
            super.handle(event);
            return;
        }
        if (market == null && problem.isEmpty()) {
            tryToOpen();
        }
        String refusal = added.getIsAppRecovering() ? null : submissions.refusal(added, queuePath(added), inForce);
        if (refusal != null) {
            LOG.info("{}", refusal);
            rmContext
                    .getDispatcher()
                    .getEventHandler()
                    .handle(new RMAppEvent(added.getApplicationId(), RMAppEventType.APP_REJECTED, refusal));
            return;
        }
        super.handle(event);
        submissions.forget(added.getApplicationId());
        if (market != null) {
            underLock(this::takeIn); // it may have got a queue that was not there before
        }
    }

    /** While the client waits, so that it is told why it is refused, and no voucher is lost by whoever dies meanwhile. */
    @Override
    public Priority checkAndGetApplicationPriority(
            Priority wanted, UserGroupInformation user, String queuePath, ApplicationId id) throws YarnException {
        submissions.admit(id, user.getShortUserName(), queuePath, inForce);
        return super.checkAndGetApplicationPriority(wanted, user, queuePath, id);
    }

    @Override
    public void preValidateMoveApplication(ApplicationId id, String newQueue) throws YarnException {
        submissions.checkMove(id, queuePath(newQueue), inForce);
        super.preValidateMoveApplication(id, newQueue);
    }

    @Override
    protected boolean isAdmitted(ApplicationId application) {
        return submissions.isAdmitted(application);
    }

    private @Nullable String queuePath(AppAddedSchedulerEvent added) {
        return queuePath(
                added.getPlacementContext() == null
                        ? added.getQueue()
                        : added.getPlacementContext().getFullQueuePath());
    }

    /** The path of a queue by any of its names; null if there is none. */
    private @Nullable String queuePath(String wanted) {
        try {
            return getQueueInfo(wanted, false, false).getQueuePath();
        } catch (IOException e) {
            LOG.debug("There is no queue {}: {}", wanted, e.getMessage());
            return null;
        }
    }

    // ---- queues ----

    @Override
    protected SchedulerSpec adapt(SchedulerSpec fromFile) {
        configured = fromFile;
        LedgerMarket open = market;
        List<String> accounts = new ArrayList<>();
        if (open != null) {
            accounts.addAll(open.accountNames());
            for (String path : roster.paths()) {
                List<?> running = getAppsInQueue(path);
                if (running != null && !running.isEmpty()) {
                    accounts.add(MarketQueues.name(path)); // closed meanwhile: stays until it is empty
                }
            }
        }
        SchedulerSpec adapted = MarketQueues.of(fromFile, accounts, preemptionMillis);
        inForce = adapted;
        leafOrders.clear();
        adapted.root().all().filter(QueueSpec::isLeaf).forEach(leaf -> leafOrders.put(leaf.path(), leaf.order()));
        return adapted;
    }

    @Override
    protected void queuesChanged() {
        LedgerMarket open = market;
        if (open != null) {
            rosterGeneration = -1;
            takeIn();
            open.publish(floor.cut(monotonic.getAsLong()));
        }
    }

    /** Puts all queues into force that are configured or have an account, and gives accounts to those that have none. */
    private void adaptQueues(LedgerMarket open) {
        String objection = adaptAgain();
        if (objection != null) {
            LOG.error("The market's queues could not be changed: {}", objection);
        }
        openAccounts(open);
    }

    /** Meters every queue that takes applications, also those that come into being when somebody asks for them. */
    private void takeIn() {
        long generation = queueGeneration();
        if (rosterGeneration == generation) {
            return;
        }
        rosterGeneration = generation;
        Map<String, Schedulable> leaves = leafClaims();
        roster.take(leaves, path -> newOrder(leafOrders.getOrDefault(path, DrfOrder.NAME)));
        leaves.keySet().forEach(path -> withoutAccount.add(MarketQueues.name(path)));
        roster.steer();
    }

    /** Not under the scheduler's lock: the books' lock is outside of it. */
    private void openAccounts(LedgerMarket open) {
        List<String> names = new ArrayList<>();
        for (String name = withoutAccount.poll(); name != null; name = withoutAccount.poll()) {
            names.add(name);
        }
        if (!names.isEmpty()) {
            open.openAccounts(names);
        }
    }

    @Override
    protected void capacityChanged(long[] capacity) {
        if (market != null) {
            floor.capacity(monotonic.getAsLong(), capacity);
        }
    }

    // ---- epochs ----

    private long pauseMillis() {
        if (market == null) {
            return LONGEST_PAUSE_MILLIS;
        }
        long due = floor.startMillis() + terms.intervalMillis() - monotonic.getAsLong();
        return Math.max(1, Math.min(LONGEST_PAUSE_MILLIS, due));
    }

    /**
     * Turns the epoch if its time has come, pays incomes that are due, and shows how things stand. The scheduler's lock is
     * taken for each of these steps anew; the books are looked at and written to without it.
     */
    void tick() {
        if (market == null && monotonic.getAsLong() >= nextTryMillis) {
            tryToOpen();
        }
        LedgerMarket open = market;
        if (open == null) {
            return;
        }
        open.payIncomes();
        underLock(this::takeIn);
        openAccounts(open);
        if (monotonic.getAsLong() - floor.startMillis() >= shortestMillis()) {
            open.turn(boundary -> underLock(boundary, this::turnIfDue));
        }
        EpochSnapshot[] cut = new EpochSnapshot[1];
        underLock(() -> {
            roster.noteDemand();
            cut[0] = floor.cut(monotonic.getAsLong());
        });
        open.publish(cut[0]);
    }

    private long shortestMillis() {
        return terms.earlyEpoch()
                ? Math.min(terms.minIntervalMillis(), terms.intervalMillis())
                : terms.intervalMillis();
    }

    private @Nullable ClosedEpoch underLock(EpochTerms boundary, Function<EpochTerms, @Nullable ClosedEpoch> work) {
        AtomicReference<@Nullable ClosedEpoch> closed = new AtomicReference<>();
        underLock(() -> closed.set(work.apply(boundary)));
        return closed.get();
    }

    private @Nullable ClosedEpoch turnIfDue(EpochTerms boundary) {
        long age = monotonic.getAsLong() - floor.startMillis();
        roster.noteDemand();
        boolean early = terms.earlyEpoch()
                && age >= terms.minIntervalMillis()
                && age < terms.intervalMillis()
                && floor.hasNewcomer(boundary.funds());
        return age >= terms.intervalMillis() || early ? turnNow(boundary) : null;
    }

    private ClosedEpoch turnNow(EpochTerms boundary) {
        roster.noteDemand();
        ClosedEpoch closed = boundary.turn(floor, monotonic.getAsLong());
        roster.steer();
        return closed;
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
            LedgerMarket open = market;
            if (open != null) {
                adaptQueues(open);
            }
        }
    }
}
