// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.deploy.ExecutorFailureTracker;
import org.apache.spark.deploy.security.HadoopDelegationTokenManager;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.scheduler.ExecutorLossReason;
import org.apache.spark.scheduler.ExecutorProcessLost;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend;
import org.apache.spark.util.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Tuple2;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.concurrent.Future;
import scala.concurrent.Future$;

/**
 * Spark's side: which executors it wants, and what becomes of them. The class {@link OfferScheduler} is the bridge's
 * side.
 */
final class OffersSchedulerBackend extends CoarseGrainedSchedulerBackend {
    private static final Logger LOG = LoggerFactory.getLogger(OffersSchedulerBackend.class);
    private static final double REGISTERED_RATIO = 0.8;

    private final SparkContext spark;
    private final TaskSchedulerImpl scheduler;
    private final OffersSettings settings;
    private final ExecutorLimits limits;
    private final ExecutorTable table;
    private final ExecutorCommand command;
    private final OfferScheduler offers;
    private final ExecutorFailureTracker failures;
    private final Departures departures = new Departures();
    private final Events events = new Events();
    private final CompletableFuture<String> frameworkId = new CompletableFuture<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(body -> {
        Thread thread = new Thread(body, "offers-timer");
        thread.setDaemon(true);
        return thread;
    });

    OffersSchedulerBackend(
            TaskSchedulerImpl scheduler, SparkContext spark, OffersSettings settings, ExecutorLimits limits) {
        super(scheduler, spark.env().rpcEnv());
        this.spark = spark;
        spark.executorEnvs().put("SPARK_USER", Utils.getCurrentUserName()); // which a keytab may have changed
        this.scheduler = scheduler;
        this.settings = settings;
        this.limits = limits;
        this.table =
                new ExecutorTable(limits.size(), limits.most(), settings.localityMillis(), limits.tasksPerExecutor());
        this.command = new ExecutorCommand(
                spark.conf(),
                spark.getSparkHome().getOrElse(() -> ""),
                settings.uris(),
                limits.size().cores(),
                spark.executorMemory());
        this.failures = new ExecutorFailureTracker(spark.conf(), new FailureClock(OffersSchedulerBackend::now));
        this.offers = new OfferScheduler(
                framework(), settings.bridges(), table, limits.size(), events, OffersSchedulerBackend::now);
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @SuppressWarnings("deprecation") // the one role of a framework that is not MULTI_ROLE capable
    private FrameworkInfo framework() {
        FrameworkInfo.Builder info = FrameworkInfo.newBuilder()
                .setUser(Utils.getCurrentUserName())
                .setName(spark.appName())
                .setRole(settings.role())
                .setFailoverTimeout(settings.failoverSeconds());
        if (!settings.principal().isEmpty()) {
            info.setPrincipal(settings.principal());
        }
        if (spark.uiWebUrl().isDefined()) {
            info.setWebuiUrl(spark.uiWebUrl().get());
        }
        return info.build();
    }

    // ---- life of the application ----

    @Override
    public void start() {
        super.start();
        spark.addSparkListener(new SparkListener() {
            @Override
            public void onExecutorAdded(SparkListenerExecutorAdded event) {
                table.works(event.executorId());
            }
        });
        table.want(limits.initial(), Map.of(), now());
        offers.start();
        try {
            frameworkId.get(settings.registrationMillis(), TimeUnit.MILLISECONDS);
            String problem = NodeSizes.of(settings).problem(limits.size());
            if (!problem.isEmpty()) {
                throw refused(problem);
            }
        } catch (TimeoutException e) {
            throw refused("no bridge answers at " + settings.master() + " within " + settings.registrationMillis()
                    + " ms (" + OffersSettings.REGISTRATION_TIMEOUT + ")");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw refused(cause == null ? e.toString() : String.valueOf(cause.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused("interrupted");
        }
    }

    /** SparkContext stops this backend when it gets the exception. */
    private static RuntimeException refused(String why) {
        return new IllegalStateException("The offers master cannot be used: " + why);
    }

    @Override
    public void stop() {
        offers.ending();
        try {
            super.stop();
        } finally {
            timer.shutdownNow();
            offers.stop();
        }
    }

    @Override
    public String applicationId() {
        return frameworkId.getNow(super.applicationId());
    }

    @Override
    public double minRegisteredRatio() {
        if (conf().contains("spark.scheduler.minRegisteredResourcesRatio")) {
            return super.minRegisteredRatio();
        }
        return REGISTERED_RATIO;
    }

    @Override
    public boolean sufficientResourcesRegistered() {
        return totalRegisteredExecutors().get() >= limits.expected() * minRegisteredRatio();
    }

    @Override
    public Option<HadoopDelegationTokenManager> createTokenManager() {
        return Option.apply(new HadoopDelegationTokenManager(conf(), spark.hadoopConfiguration(), driverEndpoint()));
    }

    // ---- what Spark wants ----

    @Override
    public Future<Object> doRequestTotalExecutors(scala.collection.immutable.Map<ResourceProfile, Object> totals) {
        int total = 0;
        for (Object one : JavaConverters.mapAsJavaMap(totals).values()) {
            total += (Integer) one;
        }
        table.want(total, localTasks(), now());
        offers.demandChanged();
        return Future$.MODULE$.successful(true);
    }

    /** Waiting tasks by the hosts that have their data; Spark reports them with dynamic allocation. */
    private Map<String, Integer> localTasks() {
        Map<String, Integer> tasks = new HashMap<>();
        JavaConverters.mapAsJavaMap(rpHostToLocalTaskCount())
                .values()
                .forEach(hosts -> JavaConverters.mapAsJavaMap(hosts)
                        .forEach((host, count) -> tasks.merge(host, (Integer) count, Integer::sum)));
        return tasks;
    }

    @Override
    public Future<Object> doKillExecutors(Seq<String> executorIds) {
        offers.kill(new HashSet<>(JavaConverters.seqAsJavaList(executorIds)));
        return Future$.MODULE$.successful(true);
    }

    // ---- what the bridge tells ----

    private final class Events implements ExecutorEvents {
        @Override
        public void subscribed(String id) {
            frameworkId.complete(id);
        }

        @Override
        public CommandInfo command(ExecutorTask executor) {
            String driver = "spark://" + ENDPOINT_NAME() + "@" + conf().get("spark.driver.host") + ":"
                    + conf().get("spark.driver.port");
            String secret;
            if (spark.env().securityManager().isAuthenticationEnabled()) {
                secret = spark.env().securityManager().getSecretKey();
            } else {
                secret = "";
            }
            List<Tuple2<String, String>> environment =
                    JavaConverters.seqAsJavaList(spark.executorEnvs().toSeq());
            return command.build(executor, applicationId(), driver, secret, environment);
        }

        @Override
        public void lost(ExecutorTask executor, ExecutorLossReason reason) {
            removeExecutor(executor.id(), reason);
            if (reason instanceof ExecutorProcessLost && ((ExecutorProcessLost) reason).causedByApp()) {
                failures.registerExecutorFailure();
                int most = ExecutorFailureTracker.maxNumExecutorFailures(conf());
                if (failures.numFailedExecutors() > most) {
                    failed("More than " + most
                            + " executors have failed (spark.executor.maxNumFailures); the last one: "
                            + reason.message());
                }
            }
        }

        @Override
        public void inverseOffers(List<InverseOffer> inverse) {
            List<Departures.Wish> wishes = inverse.stream()
                    .map(one -> new Departures.Wish(
                            one.getId().getValue(),
                            one.getAgentId().getValue(),
                            MesosMessages.amount(one.getResourcesList(), "cpus"),
                            MesosMessages.amount(one.getResourcesList(), "mem")))
                    .collect(Collectors.toList());
            offers.later(() -> leave(wishes));
        }

        @Override
        public void failed(String message) {
            if (frameworkId.completeExceptionally(new SparkException(message))) {
                return; // start() tells the user
            }
            LOG.error("The application ends: {}", message);
            try {
                scheduler.error(message);
            } catch (RuntimeException e) {
                LOG.debug("No job runs", e);
            }
            spark.stopInNewThread();
        }
    }

    private void leave(List<Departures.Wish> wishes) {
        List<ExecutorTask> live = table.live();
        Set<String> busy = new HashSet<>();
        Set<String> leaving = new HashSet<>();
        for (ExecutorTask task : live) {
            if (scheduler.isExecutorBusy(task.id())) {
                busy.add(task.id());
            }
            if (scheduler.isExecutorDecommissioned(task.id())) {
                leaving.add(task.id());
            }
        }
        for (ExecutorTask task : departures.choose(wishes, live, busy, leaving, limits.size())) {
            LOG.info("The cluster wants the resources of executor {} on {} back", task.id(), task.host);
            ExecutorDecommissionInfo info =
                    new ExecutorDecommissionInfo("The cluster wants its resources back", Option.empty());
            decommissionExecutor(task.id(), info, false, false);
        }
    }

    // ---- executors whose connection ends ----

    /**
     * The bridge tells the reason of the end; until then Spark neither uses the executor nor counts its tasks as
     * failed. Without news from the bridge the executor is removed after a while.
     */
    @Override
    public DriverEndpoint createDriverEndpoint() {
        return new Endpoint();
    }

    private final class Endpoint extends DriverEndpoint {
        @Override
        public void onDisconnected(RpcAddress address) {
            Option<String> id = addressToExecutorId().get(address);
            if (id.isDefined() && disableExecutor(id.get())) {
                var unused = timer.schedule(
                        () -> removeSilent(id.get()), settings.lossReasonMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private void removeSilent(String id) {
        if (table.isLive(id)) {
            String message = "Its connection has ended, and the bridge has not told why";
            removeExecutor(id, new ExecutorProcessLost(message, Option.empty(), false));
        }
    }
}
