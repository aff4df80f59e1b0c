// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.Pause;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bridge is killed at random instants while tasks are launched, run and end. Laws: a task whose ACCEPT was answered
 * 202 ends as its command does, or was refused because its offer was gone; its last update arrives; no task runs twice; an
 * update whose acknowledgement was answered 202 does not come again. Refusals are told once, as in Mesos: what was lost of
 * them with a connection is asked for by RECONCILE, and such a task must not have run.
 */
@Tag("soak")
class BridgeKillIT {
    private static final int KILLS = Integer.getInteger("heddle.offers.kills", 8);

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(2, Map.of("memory-mb", 4096L, "vcores", 8L))
            .build();

    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    private final Map<String, TaskState> ended = new ConcurrentHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Set<ByteString> acknowledged = ConcurrentHashMap.newKeySet();
    private final List<String> violations = new java.util.concurrent.CopyOnWriteArrayList<>();
    private final AtomicInteger launches = new AtomicInteger();
    private final FrameworkInfo info = WireClient.info("survivor")
            .setId(FrameworkID.newBuilder().setValue("survivor-1"))
            .setFailoverTimeout(600)
            .setCheckpoint(true)
            .build();
    private volatile boolean enough;

    @TempDir
    private Path directory;

    @Test
    void nothingIsLost() throws Exception {
        Random random = new Random(20261121);
        List<Long> gaps = new ArrayList<>();
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory)) {
            Thread scheduler = new Thread(() -> schedule(bridge), "survivor");
            scheduler.start();
            for (int kill = 0; kill < KILLS; kill++) {
                int before = ended.size();
                awaitEnds(bridge, before);
                Pause.millis(random.nextInt(1000));
                gaps.add(bridge.replace());
            }
            int before = ended.size();
            awaitEnds(bridge, before);
            enough = true;
            Await.until(
                    "every task to end",
                    Duration.ofSeconds(90),
                    () -> accepted.stream().allMatch(id -> ended.containsKey(id) || refused.contains(id)),
                    () -> accepted.stream()
                            .filter(id -> !ended.containsKey(id) && !refused.contains(id))
                            .toList()
                            .toString());
            scheduler.interrupt();
            scheduler.join();
        }
        System.out.println("kills " + KILLS + ", tasks " + accepted.size() + ", refused with their offer "
                + refused.size() + ", ms without a bridge " + gaps);
        for (String id : ended.keySet()) {
            if (Files.exists(runs(id)) && Files.readAllLines(runs(id)).size() != 1) {
                violations.add(id + " ran twice");
            }
        }
        assertThat(violations).isEmpty();
        assertThat(ended.values()).containsOnly(TaskState.TASK_FINISHED);
        assertThat(accepted).hasSizeGreaterThan(KILLS * 3);
    }

    private void awaitEnds(BridgeProcess bridge, int before) {
        Await.until(
                "tasks to end",
                Duration.ofSeconds(60),
                () -> ended.size() > before + 3,
                () -> accepted.size() + " accepted, " + ended.size() + " ended, violations " + violations
                        + ", the bridge's log ends:\n" + bridge.tail());
    }

    private void schedule(BridgeProcess bridge) {
        while (!Thread.currentThread().isInterrupted()) {
            try (WireClient client = new WireClient(bridge.address(), Encoding.PROTOBUF).withoutAcknowledgements()) {
                client.subscribe(info);
                reconcile(client);
                while (true) {
                    Event event = client.await(one -> true, Duration.ofSeconds(10));
                    if (event.getType() == Event.Type.ERROR) {
                        break;
                    }
                    react(client, event);
                }
            } catch (InterruptedException e) {
                return;
            } catch (Exception | AssertionError e) {
                if (Thread.currentThread().isInterrupted()) {
                    return; // told to end within a call
                }
                // No bridge at the moment; that is what this is about.
                if (!bridgeIsAway(e)) {
                    violations.add(e.toString());
                }
                try {
                    Pause.millis(50);
                } catch (InterruptedException interrupted) {
                    return;
                }
            }
        }
    }

    private static boolean bridgeIsAway(@Nullable Throwable error) {
        return error instanceof IOException
                || error instanceof java.io.UncheckedIOException
                || (error instanceof AssertionError
                        && String.valueOf(error.getMessage()).startsWith("no such event"));
    }

    private void react(WireClient client, Event event) {
        if (event.getType() == Event.Type.HEARTBEAT && enough) {
            reconcile(client);
        } else if (event.getType() == Event.Type.OFFERS) {
            event.getOffers().getOffersList().forEach(offer -> answer(client, offer));
        } else if (event.getType() == Event.Type.UPDATE) {
            take(client, event.getUpdate().getStatus());
        }
    }

    private void reconcile(WireClient client) {
        List<String> open = accepted.stream()
                .filter(id -> !ended.containsKey(id) && !refused.contains(id))
                .toList();
        if (!open.isEmpty()) {
            Call.Reconcile.Builder asked = Call.Reconcile.newBuilder();
            open.forEach(id -> asked.addTasksBuilder()
                    .setTaskId(TaskID.newBuilder().setValue(id).build()));
            client.send(Call.newBuilder().setType(Call.Type.RECONCILE).setReconcile(asked));
        }
    }

    private Path runs(String task) {
        return directory.resolve("ran-" + task);
    }

    private void answer(WireClient client, Offer offer) {
        if (enough) {
            client.send(Call.newBuilder()
                    .setType(Call.Type.DECLINE)
                    .setDecline(Call.Decline.newBuilder().addOfferIds(offer.getId())));
            return;
        }
        List<TaskInfo> tasks = new ArrayList<>();
        double room = Math.min(WireClient.amount(offer, "cpus") / 0.1, WireClient.amount(offer, "mem") / 32);
        for (int i = 0; i < Math.min(3, (int) (room + 1e-6)); i++) {
            String id = "task-" + launches.incrementAndGet();
            tasks.add(WireClient.task(id, offer, "echo once >> " + runs(id) + "; sleep 0.2", 0.1, 32));
        }
        if (client.launch(offer, 0, tasks.toArray(TaskInfo[]::new)) == 202) {
            tasks.forEach(task -> accepted.add(task.getTaskId().getValue()));
        }
    }

    private void take(WireClient client, TaskStatus status) {
        String id = status.getTaskId().getValue();
        if (!status.hasUuid()) {
            boolean unknown = status.getReason() == TaskStatus.Reason.REASON_RECONCILIATION
                    && status.getState() == TaskState.TASK_LOST
                    && !Files.exists(runs(id));
            if (status.getReason() == TaskStatus.Reason.REASON_INVALID_OFFERS || unknown) {
                refused.add(id);
            } else if (status.getReason() != TaskStatus.Reason.REASON_RECONCILIATION
                    || status.getState() == TaskState.TASK_LOST) {
                violations.add(id + " " + status.getState() + " " + status.getMessage());
            }
            return;
        }
        if (acknowledged.contains(status.getUuid())) {
            violations.add(id + " " + status.getState() + " came again after its acknowledgement");
        }
        switch (status.getState()) {
            case TASK_RUNNING -> {}
            case TASK_FINISHED -> ended.put(id, status.getState());
            default -> {
                ended.put(id, status.getState());
                violations.add(id + " " + status.getState() + " " + status.getReason() + " " + status.getMessage());
            }
        }
        int answer = client.send(Call.newBuilder()
                .setType(Call.Type.ACKNOWLEDGE)
                .setAcknowledge(Call.Acknowledge.newBuilder()
                        .setAgentId(status.getAgentId())
                        .setTaskId(status.getTaskId())
                        .setUuid(status.getUuid())));
        if (answer == 202) {
            acknowledged.add(status.getUuid());
        }
    }
}
