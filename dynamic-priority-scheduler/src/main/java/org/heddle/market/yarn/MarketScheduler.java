// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.heddle.market.alert.RunwayAlerts;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.EpochSnapshot;
import org.heddle.market.epoch.QueueMeters;
import org.heddle.market.http.MarketHooks;
import org.heddle.market.http.MarketSource;
import org.heddle.market.http.auth.VoucherService;
import org.heddle.market.ledger.EpochTerms;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.QueueHost;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.change.LostAttempt;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.RefundPolicy;
import org.heddle.market.model.terms.StartPolicy;
import org.heddle.market.security.RefusedException;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.WorkProtection;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DRF scheduler with a market: at the end of each epoch it computes what queues have used, and sets the engine's
 * weights for the next epoch. In between it only measures the starts and ends of containers; a heartbeat of a node
 * without either costs nothing.
 *
 * <p>The scheduler's lock guards the epoch meter. One thread changes the epochs and publishes snapshots for pages. It
 * holds the scheduler's lock while it computes an epoch and sets weights, but not while the ledger is read or written:
 * the ledger's lock is outside the scheduler's.
 *
 * <p>A little long because all extension points of the DRF scheduler end here; each method is short.
 *
 * <p>The market is opened when the scheduler starts, or by the first application if that comes before: a
 * ResourceManager recovers applications before it starts its services, and they need their queues.
 */
public abstract class MarketScheduler extends HeddleScheduler implements MarketSource {
    private static final Logger LOG = LoggerFactory.getLogger(MarketScheduler.class);
    private static final long LONGEST_PAUSE_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 5_000;
    /** A change waits so long for the ledger: a busy disk may take some seconds. Scheduling never waits for it. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final Map<String, String> leafOrders = new HashMap<>();
    private final Queue<String> withoutAccount = new ConcurrentLinkedQueue<>();
    private MarketTerms terms;
    private long preemptionMillis;
    private double preemptionMaxLost;
    private RefundPolicy refunds;
    /** Containers of the running epoch that the cluster ended, with the times of their ends. */
    private final Map<LostAttempt, Long> lost = new LinkedHashMap<>();

    private EpochMeter meter;
    private QueueMeters queueMeters;
    private long metersGeneration = -1;
    private volatile @Nullable Market market;
    private @Nullable RunwayAlerts alerts;
    private volatile long marketSinceMillis;
    /** Why the last attempt to open the market failed; empty if there was none. */
    private volatile String problem = "";

    private volatile long nextTryMillis;
    private final Object opening = new Object();
    /** Whether the epoch is longer than an interval, because its bills cannot be written. */
    private volatile boolean goesOn;

    private volatile SchedulerSpec configured;
    private volatile SchedulerSpec inForce;
    private @Nullable EpochClock clock = new EpochClock(this::tick, this::pauseMillis);
    private volatile @Nullable MarketMetrics metrics;
    private SubmissionCheck submissions;

    /** @param name of the scheduler in logs and queue reports */
    @SuppressWarnings("NullAway.Init") // set in serviceInit, before all other calls
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

    /** For tests, between init and start. Who gives the time calls {@link #tick()} too: no thread does. */
    void useClocks(Clocks next) {
        setClocks(next);
        clock = null;
    }

    // ---- service ----

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        MarketSetup.checkSafe(conf);
        terms = MarketSetup.terms(conf);
        preemptionMillis = MarketKeys.PREEMPTION_INTERVAL_MS.read(conf::get);
        preemptionMaxLost = MarketKeys.PREEMPTION_MAX_LOST_WORK.read(conf::get);
        refunds = MarketKeys.REFUND.read(conf::get);
        submissions = new SubmissionCheck(
                SubmissionCheck.policy(conf), this::openVouchers, this::mayEnter, this::hasCredit, clocks()::date);
        alerts = MarketSetup.alerts(conf, terms, this::market, clocks());
        super.serviceInit(conf);
        submissions.install(rmContext.getQueuePlacementManager());
        MarketSetup.standardSlot(conf, resourceNames()); // so that a wrong value is found before the first failover
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
        metrics = MarketMetrics.register(() -> market);
        if (clock != null) {
            clock.start();
        }
        RunwayAlerts sending = alerts;
        if (sending != null) {
            sending.start();
        }
    }

    @Override
    public void serviceStop() throws Exception {
        EpochClock running = clock;
        if (running != null) {
            running.end();
        }
        MarketMetrics.unregister();
        RunwayAlerts sending = alerts;
        if (sending != null) {
            sending.close();
        }
        Market open = market;
        if (open != null) {
            open.rollOver(epochTerms -> underLock(epochTerms, this::rollOver));
            market = null;
            open.close();
        }
        super.serviceStop();
    }

    private boolean mayEnter(String user, String path) {
        return checkAccess(UserGroupInformation.createRemoteUser(user), QueueACL.SUBMIT_APPLICATIONS, path);
    }

    @Override
    public boolean maySpend(String user, String account) {
        String path = MarketQueues.path(account);
        return getConfig().getBoolean(YarnConfiguration.YARN_ACL_ENABLE, YarnConfiguration.DEFAULT_YARN_ACL_ENABLE)
                && !SubmissionCheck.admitsEverybody(path, inForce)
                && inForce.root().all().anyMatch(queue -> queue.path().equals(path))
                && mayEnter(user, path);
    }

    private boolean hasCredit(String account) {
        Market open = market;
        return open == null || open.hasCredit(account);
    }

    private VoucherService openVouchers() throws RefusedException {
        Market open = market;
        if (open == null) {
            throw RefusedException.unavailable("the market is not open: " + problem);
        }
        return VoucherService.open(getConfig(), open);
    }

    private void tryToOpen() {
        try {
            openMarket();
        } catch (IOException e) {
            nextTryMillis = clocks().millis() + RETRY_MILLIS;
            if (!String.valueOf(e.getMessage()).equals(problem)) {
                LOG.error(
                        "The market cannot be opened; until then, applications are scheduled first come, first served,"
                                + " and free of charge: {}",
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
        Market opened = new Market(terms, MarketSetup.store(conf, terms, clocks()::date), clocks()::date, LONGEST_WAIT);
        try {
            opened.open();
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        opened.setQueueHost(new Host());
        marketSinceMillis = clocks().date();
        underLock(() -> {
            meter = new EpochMeter(terms, slot, clocks().millis());
            meter.setCapacity(clocks().millis(), engine().capacity());
            queueMeters = new QueueMeters(engine(), meter, clocks()::millis, AccountNames::account);
            market = opened;
            getSchedulerApplications().keySet().forEach(this::measure);
        });
        problem = "";
        adaptQueues(opened);
        LOG.info(
                "The market of cluster {} is open with {} queues; a slot is {}",
                terms.clusterId(),
                opened.accountNames().size(),
                MarketSetup.text(slot, resourceNames()));
    }

    @Override
    public void handle(SchedulerEvent event) {
        if (event instanceof AppRemovedSchedulerEvent removed) {
            super.handle(event);
            if (market != null) {
                underLock(() -> queueMeters.ended(removed.getApplicationID().toString()));
            }
            return;
        }
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
            underLock(() -> {
                updateMeters(); // the application may have got a new queue
                measure(added.getApplicationId());
            });
        }
    }

    /** Measures an application, unless it was refused. Before its first container starts, so nothing is missed. */
    private void measure(ApplicationId id) {
        if (getSchedulerApplications().get(id) instanceof HeddleApplication application) {
            RMApp submitted = rmContext.getRMApps().get(id);
            queueMeters.measure(
                    application.schedulable(),
                    application.getQueue().getQueueName(),
                    id.toString(),
                    submitted == null || submitted.getName() == null ? "" : submitted.getName(),
                    application.getUser());
        }
    }

    @Override
    public String moveApplication(ApplicationId id, String newQueue) throws YarnException {
        String moved = super.moveApplication(id, newQueue);
        if (market != null) {
            underLock(() -> measure(id));
        }
        return moved;
    }

    /** Runs in the client's call, so that the client gets the reason of a refusal, and a crash loses no voucher. */
    @Override
    public Priority checkAndGetApplicationPriority(
            @Nullable Priority wanted, UserGroupInformation user, String queuePath, ApplicationId id)
            throws YarnException {
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
        boolean isPlaced = added.getPlacementContext() != null;
        return queuePath(isPlaced ? added.getPlacementContext().getFullQueuePath() : added.getQueue());
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
        Market open = market;
        List<String> accounts = new ArrayList<>();
        if (open != null) {
            accounts.addAll(open.accountNames());
            for (String path : queueMeters.paths()) {
                List<?> running = getAppsInQueue(path);
                if (running != null && !running.isEmpty()) {
                    accounts.add(AccountNames.account(path)); // closed, but stays until it is empty
                }
            }
        }
        if (preemptionMillis > 0 && fromFile.preemption().mode() == PreemptionSettings.Mode.OFF) {
            LOG.warn(
                    "{} = {} has no effect, because heddle-scheduler.xml turns preemption off; to preempt containers"
                            + " for paying queues, write <preemption><mode>on</mode></preemption> there, or dry-run",
                    MarketKeys.PREEMPTION_INTERVAL_MS.name(),
                    preemptionMillis);
        }
        SchedulerSpec adapted =
                MarketQueues.of(fromFile, accounts, this::spenders, preemptionMillis, preemptionMaxLost);
        inForce = adapted;
        leafOrders.clear();
        adapted.root().all().filter(QueueSpec::isLeaf).forEach(leaf -> leafOrders.put(leaf.path(), leaf.order()));
        return adapted;
    }

    /** The users who may spend from an account whose queue is not in the file. */
    private Set<String> spenders(String account) {
        Market open = market;
        return open == null ? Set.of(account) : open.spenders(account);
    }

    @Override
    protected void queuesChanged() {
        Market open = market;
        if (open != null) {
            metersGeneration = -1;
            updateMeters();
            open.publish(meter.snapshot(clocks().millis()));
        }
    }

    /** Applies the configured queues and those with accounts, and opens missing accounts. */
    private void adaptQueues(Market open) {
        String objection = adaptAgain();
        if (objection != null) {
            LOG.error("The market's queues could not be changed: {}", objection);
        }
        openAccounts(open);
    }

    /** Measures every leaf queue, also those that are created on demand. */
    private void updateMeters() {
        long generation = queueGeneration();
        if (metersGeneration == generation) {
            return;
        }
        metersGeneration = generation;
        Map<String, Schedulable> leaves = leafSchedulables();
        queueMeters.setQueues(leaves, path -> newOrder(leafOrders.getOrDefault(path, DrfOrder.NAME)));
        leaves.keySet().forEach(path -> withoutAccount.add(AccountNames.account(path)));
        queueMeters.updateWeights();
    }

    /** Called without the scheduler's lock: the ledger's lock is outside of it. */
    private void openAccounts(Market open) {
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
            meter.setCapacity(clocks().millis(), capacity);
        }
    }

    /** Counts what is lost: a container that is preempted has worked since it was allocated. */
    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        boolean held =
                container.getState() != RMContainerState.RESERVED && container.getState() != RMContainerState.COMPLETED;
        boolean preempted = status.getExitStatus() == ContainerExitStatus.PREEMPTED;
        boolean ended = held && market != null && (preempted || isLost(status));
        long age = ended ? ageMillis(container) : 0; // its node forgets it now
        super.completedContainerInternal(container, status, event);
        if (ended) {
            List<String> names = resourceNames();
            long[] usage = new long[names.size()];
            for (int j = 0; j < usage.length; j++) {
                usage[j] = container.getContainer().getResource().getResourceValue(names.get(j));
            }
            underLock(() -> {
                if (preempted) {
                    meter.preempted(usage, age);
                }
                ApplicationId id = container.getApplicationAttemptId().getApplicationId();
                if (refunds.covers(preempted)
                        && getSchedulerApplications().get(id) instanceof HeddleApplication application) {
                    String account = AccountNames.account(application.getQueue().getQueueName());
                    lost.put(
                            new LostAttempt(
                                    container.getContainerId().toString(),
                                    id.toString(),
                                    account,
                                    preempted,
                                    meter.slots(usage),
                                    age,
                                    0),
                            clocks().millis());
                }
            });
        }
    }

    /** A recovered container began when Hadoop says. */
    private long ageMillis(RMContainer container) {
        HeddleNode node = getSchedulerNode(container.getContainer().getNodeId());
        long age = node == null ? 0 : node.ageMillis(container.getContainerId(), clocks().millis());
        return age > 0 ? age : Math.max(0, clocks().date() - container.getCreationTime());
    }

    /** Other containers that end as aborted were released by their master, or their application has ended. */
    private static boolean isLost(ContainerStatus status) {
        return status.getExitStatus() == ContainerExitStatus.DISKS_FAILED
                || SchedulerUtils.LOST_CONTAINER.equals(status.getDiagnostics());
    }

    // ---- epochs ----

    private long pauseMillis() {
        if (market == null) {
            return LONGEST_PAUSE_MILLIS;
        }
        long due = meter.startMillis() + terms.intervalMillis() - clocks().millis();
        return goesOn ? LONGEST_PAUSE_MILLIS : Math.max(1, Math.min(LONGEST_PAUSE_MILLIS, due));
    }

    /**
     * Changes the epoch if it is due, pays due incomes, and publishes a snapshot. Each step takes the scheduler's lock
     * anew; the ledger is read and written without it.
     */
    void tick() {
        if (market == null && clocks().millis() >= nextTryMillis) {
            tryToOpen();
        }
        Market open = market;
        if (open == null) {
            return;
        }
        open.payIncomes();
        underLock(this::updateMeters);
        openAccounts(open);
        if (clocks().millis() - meter.startMillis() >= terms.intervalMillis()) {
            open.rollOver(epochTerms -> underLock(epochTerms, this::rollOverIfDue));
        }
        goesOn = clocks().millis() - meter.startMillis() >= terms.intervalMillis();
        EpochSnapshot[] snapshot = new EpochSnapshot[1];
        underLock(() -> {
            queueMeters.updateDemand();
            queueMeters.updatePlaces();
            meter.setPreemptionLimit(preemptionLimit());
            snapshot[0] = meter.snapshot(clocks().millis());
        });
        open.publish(snapshot[0]);
    }

    /** The scheduler counts work in time of the whole cluster, the market in slot-time. */
    private PreemptionLimit preemptionLimit() {
        WorkProtection.Credit credit = lostWorkCredit();
        double slots = (double) meter.capacity() / Slots.NANOS;
        if (credit.isLimited()) {
            return new PreemptionLimit(
                    credit.maxLost(),
                    Math.round(credit.available() * slots),
                    Math.round(credit.most() * slots),
                    credit.waiting(),
                    Math.round(credit.needed() * slots));
        }
        return PreemptionLimit.NONE;
    }

    private @Nullable ClosedEpoch underLock(EpochTerms epochTerms, Function<EpochTerms, @Nullable ClosedEpoch> work) {
        AtomicReference<@Nullable ClosedEpoch> closed = new AtomicReference<>();
        underLock(() -> closed.set(work.apply(epochTerms)));
        return closed.get();
    }

    private @Nullable ClosedEpoch rollOverIfDue(EpochTerms epochTerms) {
        boolean isDue = clocks().millis() - meter.startMillis() >= terms.intervalMillis();
        return isDue ? rollOver(epochTerms) : null;
    }

    private ClosedEpoch rollOver(EpochTerms epochTerms) {
        long start = System.nanoTime();
        queueMeters.updateDemand();
        long now = clocks().millis();
        Market open = market;
        if (open != null) {
            lost.forEach((attempt, endMillis) -> open.refund(attempt.endedBefore(now - endMillis)));
        }
        lost.clear();
        ClosedEpoch closed = epochTerms.rollOver(meter, now);
        queueMeters.updateWeights();
        MarketMetrics counting = metrics;
        if (counting != null) {
            counting.epochChanged(closed, System.nanoTime() - start);
        }
        return closed;
    }

    /** The market's view of the scheduler's queues. */
    private final class Host implements QueueHost {
        @Override
        public @Nullable String removalProblem(String queue) {
            String path = MarketQueues.path(queue);
            if (configured.root().all().anyMatch(each -> each.path().equals(path))) {
                return "Queue " + queue + " is configured in the scheduler's file; remove it there first";
            }
            List<?> applications = getAppsInQueue(path);
            if (applications == null || applications.isEmpty()) {
                return null;
            }
            return "Queue " + queue + " has " + applications.size()
                    + " applications; move them (yarn application -changeQueue) or wait until they end";
        }

        @Override
        public @Nullable String openingProblem(String parent) {
            String path = MarketQueues.path(parent);
            boolean isParent =
                    configured.root().all().anyMatch(each -> each.path().equals(path) && !each.isLeaf());
            if (isParent) {
                return null;
            }
            return "There is no parent queue " + parent + " in the scheduler's file, below which an account could be"
                    + " opened; name one of its parent queues, or an account without a dot";
        }

        @Override
        public void changed() {
            Market open = market;
            if (open != null) {
                adaptQueues(open);
            }
        }
    }
}
