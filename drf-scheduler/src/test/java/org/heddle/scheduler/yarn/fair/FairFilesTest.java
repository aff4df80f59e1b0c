// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSQueue;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole {@code fair-scheduler.xml} files, each under FairScheduler and under ours: the same queues with the same
 * weights and limits, the same applications in the same queues, the same answers about access.
 */
@Tag("newer-line")
class FairFilesTest {
    static final List<String> USERS = List.of(
            "alice",
            "bob",
            "carol",
            "dean",
            "root",
            "etl",
            "oozie",
            "hadoop",
            "operator",
            "releaser",
            "larry",
            "first.last",
            "intern");
    private static final List<String> NAMES = List.of(
            "default",
            "root.default",
            "production",
            "production.hourly",
            "root.production.nightly",
            "root.analysts",
            "analysts.new.deep",
            "science",
            "staff",
            "staff.grants",
            "root.students.physics",
            "students.course 101",
            "guests",
            "ads",
            "logs.ingest",
            "root.logs.archive.below",
            "made.up",
            "root.made.up.further",
            "nothing",
            "root",
            ".bad",
            "bad.",
            " blank ");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {"warehouse.xml", "university.xml", "old-cluster.xml", "observatory.xml", "bank.xml", "agency.xml"
            })
    void queuesWeightsAndLimitsAreTheSame(String file) throws Exception {
        Map<Class<?>, Map<String, String>> results =
                FairSchedulerFixture.both(FairSchedulerFixture.resource(directory, file), fixture -> {
                    fixture.node("127.2.0.1", 100_000, 80);
                    return queues(fixture);
                });
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS)))
                .hasSizeGreaterThan(4)
                .isEqualTo(Objects.requireNonNull(results.get(FairSchedulerFixture.FAIR)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"warehouse.xml", "university.xml", "old-cluster.xml", "observatory.xml", "bank.xml", "agency.xml"
            })
    void accessIsTheSame(String file) throws Exception {
        Map<Class<?>, Map<String, String>> results = FairSchedulerFixture.both(
                FairSchedulerFixture.resource(directory, file),
                fixture -> fixture.queues(path -> access(fixture, path)));
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS)))
                .isEqualTo(Objects.requireNonNull(results.get(FairSchedulerFixture.FAIR)));
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS))
                        .toString())
                .contains("alice")
                .doesNotContain("mallory");
    }

    @ParameterizedTest
    @CsvSource({
        "warehouse.xml,,",
        "university.xml,,",
        "old-cluster.xml,,",
        "old-cluster.xml,yarn.scheduler.fair.allow-undeclared-pools,false",
        "old-cluster.xml,yarn.scheduler.fair.user-as-default-queue,false",
        "observatory.xml,,",
        "bank.xml,,",
        "agency.xml,,"
    })
    void applicationsFindTheSameQueues(String file, String key, String value) throws Exception {
        String[] properties = key == null ? new String[0] : new String[] {key, value};
        Map<Class<?>, Map<String, String>> results = FairSchedulerFixture.both(
                FairSchedulerFixture.resource(directory, file), FairFilesTest::placements, properties);
        Map<String, String> differences = new TreeMap<>(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS)));
        differences
                .entrySet()
                .removeAll(Objects.requireNonNull(results.get(FairSchedulerFixture.FAIR))
                        .entrySet());
        assertThat(differences).as("of ours").isEmpty();
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS)))
                .hasSameSizeAs(Objects.requireNonNull(results.get(FairSchedulerFixture.FAIR)));
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS))
                        .values())
                .contains("refused")
                .anyMatch(queue -> queue.startsWith("root."));
    }

    /** Submission by submission, so that a queue made by one is there for the next. */
    private static Map<String, String> placements(FairSchedulerFixture fixture) throws Exception {
        fixture.node("127.2.0.1", 100_000, 80);
        Map<String, String> placements = new TreeMap<>();
        for (String user : USERS) {
            for (String name : NAMES) {
                placements.put(user + " names " + name, fixture.placed(user, name));
            }
        }
        return placements;
    }

    static String access(FairSchedulerFixture fixture, String path) {
        StringBuilder who = new StringBuilder();
        for (String user : USERS) {
            UserGroupInformation ugi = UserGroupInformation.createRemoteUser(user);
            for (QueueACL acl : QueueACL.values()) {
                if (fixture.scheduler().checkAccess(ugi, acl, path)) {
                    who.append(user).append(' ').append(acl).append(", ");
                }
            }
        }
        return who.toString();
    }

    /** By path, what each queue has been told. */
    static Map<String, String> queues(FairSchedulerFixture fixture) {
        return fixture.queues(path -> fixture.isOurs() ? ours(fixture, path) : fair(fixture, path));
    }

    private static String ours(FairSchedulerFixture fixture, String path) {
        HeddleScheduler scheduler = (HeddleScheduler) fixture.rm.getResourceScheduler();
        HeddleQueue queue = scheduler.queues().stream()
                .filter(one -> one.getQueueName().equals(path))
                .findFirst()
                .orElseThrow();
        QueueSpec spec = queue.spec();
        QueuePreemptionSettings protection = spec.protection();
        Resource cluster = scheduler.getClusterResource();
        ResourceVectors vectors = new ResourceVectors();
        long[] guarantee = vectors.guarantee(protection.guaranteed(), vectors.of(cluster));
        scheduler.takeSnapshot(); // brings limits up to date
        long[] limit = queue.schedulable().limit();
        return line(
                queue.isLeaf(),
                spec.weights().base(),
                vectors.toResource(guarantee == null ? new long[vectors.size()] : guarantee),
                limit == null ? cluster : Resources.componentwiseMin(cluster, vectors.toResource(limit)),
                spec.maxRunningApps(),
                !queue.isLeaf() ? 0 : Double.isInfinite(spec.maxAmShare()) ? -1 : spec.maxAmShare(),
                spec.order(),
                protection.revocable(),
                protection.belowGuaranteeMillis(),
                protection.belowShareMillis(),
                protection.threshold(),
                scheduler.getMaximumResourceCapability(path));
    }

    private static String fair(FairSchedulerFixture fixture, String path) {
        FSQueue queue = fixture.fair().getQueueManager().getQueue(path);
        Resource cluster = fixture.fair().getClusterResource();
        return line(
                queue instanceof FSLeafQueue,
                queue.getWeight(),
                queue.getMinShare(),
                Resources.componentwiseMin(cluster, queue.getMaxShare()),
                queue.getMaxRunningApps(),
                !(queue instanceof FSLeafQueue)
                        ? 0
                        : Math.abs(queue.getMaxAMShare() + 1) < 0.001 ? -1 : queue.getMaxAMShare(),
                queue.getPolicy().getName().toLowerCase(Locale.ROOT),
                queue.isPreemptable(),
                ((Number) hidden(queue, "getMinSharePreemptionTimeout")).longValue(),
                ((Number) hidden(queue, "getFairSharePreemptionTimeout")).longValue(),
                ((Number) hidden(queue, "getFairSharePreemptionThreshold")).doubleValue(),
                fixture.fair().getMaximumResourceCapability(path));
    }

    private static Object hidden(FSQueue queue, String name) {
        try {
            Method method = FSQueue.class.getDeclaredMethod(name);
            method.setAccessible(true);
            return method.invoke(queue);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is not there any more", e);
        }
    }

    private static String line(
            boolean leaf,
            double weight,
            Resource min,
            Resource max,
            int apps,
            double amShare,
            String policy,
            boolean preemptable,
            long minTimeout,
            long fairTimeout,
            double threshold,
            Resource largest) {
        return String.format(
                Locale.ROOT,
                "%s, weight %.3f, min %s, max %s, apps %d, masters %.3f, policy %s, preemptable %s, after %d and %d ms"
                        + " below %.3f, largest %s",
                leaf ? "leaf" : "parent",
                weight,
                min,
                max,
                apps,
                amShare,
                policy,
                preemptable,
                minTimeout,
                fairTimeout,
                threshold,
                largest);
    }
}
