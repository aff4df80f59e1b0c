// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.heddle.market.model.MarketRecord;
import org.heddle.market.model.Mutation;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.Role;
import org.heddle.market.security.Voucher;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may submit to a queue in a real ResourceManager. */
class VouchersInRmTest {
    private static final String MASTER = Base64.getEncoder().encodeToString(new byte[32]);
    private static final MasterKeys MASTERS = new MasterKeys("heddle", MASTER, List.of());
    private static final ApiKey KEY =
            new ApiKey("alice", 1, Role.USER, "salt", MASTERS.presentId(), 0, Long.MAX_VALUE, 0);

    @TempDir
    Path directory;

    private MarketBed bed(MemoryRMStateStore store, String submission) throws Exception {
        MarketBed bed = new MarketBed(
                directory,
                store,
                "yarn.resourcemanager.recovery.enabled",
                "true",
                "yarn.resourcemanager.ha.id",
                "x",
                "yarn.acl.enable",
                "true",
                "yarn.admin.acl",
                "admin",
                "yarn.scheduler.heddle.market.http.master-key",
                MASTER,
                MarketKeys.SUBMISSION.name(),
                submission);
        bed.node("127.0.0.1", 15_000, 100);
        bed.queue("alice", "1", "100");
        bed.market()
                .record(
                        new Mutation(
                                "alice",
                                "test",
                                "key",
                                List.of(new MarketRecord(ApiKey.KIND, KEY.id(), KEY.content()))),
                        "issue-key",
                        KEY.id());
        return bed;
    }

    private static String voucher(MarketBed bed, String user) {
        return Voucher.issue(
                new Voucher.Use("heddle", "alice", user),
                KEY.id(),
                Objects.requireNonNull(MASTERS.secret(KEY)),
                bed.clock.get() / 1_000 + 60,
                new SecureRandom());
    }

    private static RMApp submit(MarketBed bed, String user, String queue, String... tags) throws Exception {
        return MockRMAppSubmitter.submit(
                bed.rm,
                MockRMAppSubmissionData.Builder.createWithMemory(100, bed.rm)
                        .withUser(user)
                        .withQueue(queue)
                        .withApplicationTags(Set.of(tags))
                        .withWaitForAppAcceptedState(false)
                        .withUnmanagedAM(true)
                        .build());
    }

    private static boolean isDecided(RMApp app) {
        return app.getState() == RMAppState.ACCEPTED || app.getState() == RMAppState.FAILED;
    }

    private static RMApp accepted(RMApp app) throws Exception {
        Await.until("an end of " + app.getApplicationId(), Duration.ofSeconds(20), () -> isDecided(app));
        assertThat(app.getState()).as("%s", app.getDiagnostics()).isEqualTo(RMAppState.ACCEPTED);
        return app;
    }

    private static String refused(RMApp app) throws Exception {
        Await.until("an end of " + app.getApplicationId(), Duration.ofSeconds(20), () -> isDecided(app));
        assertThat(app.getState()).isEqualTo(RMAppState.FAILED);
        return app.getDiagnostics().toString();
    }

    @Test
    void listOrVoucherAndEachVoucherOnceAlsoAfterAFailOver() throws Exception {
        MemoryRMStateStore store = new MemoryRMStateStore();
        try (MarketBed bed = bed(store, "acl-or-voucher")) {
            accepted(submit(bed, "alice", "alice"));
            assertThat(refused(submit(bed, "bob", "alice"))).contains("does not have permission to submit");
            String tag = voucher(bed, "bob");
            RMApp in = accepted(submit(bed, "bob", "root.alice", tag));
            assertThat(in.getQueue()).isEqualTo("root.alice");
            assertThat(refused(submit(bed, "bob", "alice", tag)))
                    .contains("the voucher was used for " + in.getApplicationId());
            assertThat(refused(submit(bed, "bob", "alice", voucher(bed, "carol"))))
                    .contains("is not for user bob in queue alice");
            assertThat(bed.market().audit(0, 100)).extracting("action").contains("use-voucher");

            bed.restart(store);
            assertThat(bed.rm.getRMContext().getRMApps()).containsKey(in.getApplicationId());
            assertThat(refused(submit(bed, "bob", "alice", tag))).contains("the voucher was used for ");
        }
    }

    @Test
    void whereOnlyVouchersCountAUsersNameIsNotEnough() throws Exception {
        try (MarketBed bed = bed(new MemoryRMStateStore(), "voucher")) {
            assertThat(refused(submit(bed, "alice", "alice"))).contains("takes applications with a voucher only");
            accepted(submit(bed, "alice", "alice", voucher(bed, "alice")));
            accepted(submit(bed, "alice", "default"));
        }
    }

    @Test
    void withoutBooksTheClusterWorksFreeOfChargeUntilTheyCanBeOpened() throws Exception {
        Path books = java.nio.file.Files.writeString(directory.resolve("books"), "in the way");
        try (MarketBed bed = new MarketBed(directory, MarketKeys.STORE_AT_START.name(), "wait")) {
            bed.node("127.0.0.1", 15_000, 100);
            assertThat(bed.scheduler().market()).isNull();
            assertThat(bed.scheduler().marketProblem())
                    .contains("cannot be made")
                    .contains(books.toString());
            MarketBed.App free = bed.app("alice", "default").ask(5);
            bed.heartbeat();
            assertThat(free.holds()).isEqualTo(5);

            java.nio.file.Files.delete(books);
            bed.after(10_000).scheduler().tick();
            assertThat(bed.scheduler().marketProblem()).isEmpty();
            bed.queue("alice", "1", "100");
            assertThat(bed.status("default").usedContainers()).isEqualTo(5);
            accepted(submit(bed, "alice", "alice"));
        }
    }
}
