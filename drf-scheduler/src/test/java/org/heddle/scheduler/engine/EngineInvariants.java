// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.policy.DominantShare;

/** Compares an engine's books with the independent account of a {@link EngineModel}, and with themselves. */
final class EngineInvariants {
    private static final double ROUNDING = 1e-9;

    private EngineInvariants() {}

    static void check(EngineModel model) {
        Map<EngineModel.Member, Account> accounts = accounts(model);
        accounts.forEach((member, account) -> {
            Schedulable schedulable = member.schedulable;
            assertThat(schedulable.usage).as("usage of %s", schedulable).isEqualTo(account.usage);
            assertThat(schedulable.running).as("running of %s", schedulable).isEqualTo(account.running);
            assertThat(schedulable.pending).as("pending of %s", schedulable).isEqualTo(account.pending);
            checkSlots(model.engine, schedulable, account);
            checkHeaps(schedulable);
            assertThat(schedulable.normalizedShare)
                    .as("normalized share of %s", schedulable)
                    .isNotNaN()
                    .isNotNegative();
            assertThat(schedulable.key).as("key of %s", schedulable).isNotNaN();
            assertThat(schedulable.poorestSuspended).isInfinite();
        });
    }

    private static final class Account {
        final long[] usage = new long[EngineModel.RESOURCES];
        final Map<List<Long>, Long> asks = new LinkedHashMap<>();
        long running;
        long pending;
    }

    private static Map<EngineModel.Member, Account> accounts(EngineModel model) {
        Map<EngineModel.Member, Account> accounts = new LinkedHashMap<>();
        model.members().forEach(member -> accounts.put(member, new Account()));
        for (EngineModel.Running held : model.containers) {
            for (EngineModel.Member at = held.app(); at != null; at = at.parent) {
                Account account = accounts.computeIfAbsent(at, unknown -> new Account());
                EngineModel.add(account.usage, held.size(), 1);
                account.running++;
            }
        }
        for (EngineModel.Member app : model.apps()) {
            app.asks.forEach((size, count) -> {
                for (EngineModel.Member at = app; at != null; at = at.parent) {
                    Account account = accounts.computeIfAbsent(at, unknown -> new Account());
                    account.asks.merge(size, count, Long::sum);
                    account.pending += count;
                }
            });
        }
        return accounts;
    }

    private static void checkSlots(ShareEngine engine, Schedulable schedulable, Account account) {
        Map<List<Long>, Long> asked = new LinkedHashMap<>();
        for (ContainerSize containerSize : engine.asks(schedulable)) {
            asked.put(EngineModel.key(containerSize.need), engine.asked(schedulable, containerSize));
            if (schedulable.parent == null) {
                assertThat(containerSize.pending).isEqualTo(engine.asked(schedulable, containerSize));
            }
            assertThat(containerSize.open).isFalse();
        }
        assertThat(asked).as("asks of %s", schedulable).isEqualTo(account.asks);
    }

    /** A child is in exactly the heaps of what it asks for, knows its place, and nobody is before a smaller one. */
    private static void checkHeaps(Schedulable parent) {
        for (Schedulable child : parent.children) {
            for (int k = 0; k < child.slots; k++) {
                ChildHeap heap = SchedulableTree.heapOf(parent, child.containerSize[k]);
                assertThat(child.position[k])
                        .as("%s by %s", child, child.containerSize[k])
                        .isNotNegative();
                assertThat(heap.get(child.position[k])).isSameAs(child);
            }
        }
        for (int k = 0; k < parent.slots && !parent.isLeaf(); k++) {
            ContainerSize containerSize = parent.containerSize[k];
            ChildHeap heap = parent.heap[k];
            assertThat(heap.size())
                    .as("children of %s that ask for %s", parent, containerSize)
                    .isEqualTo((int) parent.children.stream()
                            .filter(child -> child.slotOf(containerSize) >= 0)
                            .count());
            for (int i = 1; i < heap.size(); i++) {
                assertThat(heap.get(i).precedes(heap.get((i - 1) / 2)))
                        .as("%s before its better in %s", heap.get(i), parent)
                        .isFalse();
            }
        }
        for (int k = parent.slots; k < parent.heap.length && !parent.isLeaf(); k++) {
            assertThat(parent.heap[k] == null || parent.heap[k].isEmpty()).isTrue();
        }
    }

    /**
     * Doing everything anew changes nothing but rounding: what is kept step by step is right, and so is what is
     * computed below parents whose active children have changed.
     */
    static void checkRenewed(EngineModel model) {
        model.engine.refresh();
        List<double[]> before = numbers(model);
        model.engine.renew();
        List<double[]> after = numbers(model);
        for (int i = 0; i < before.size(); i++) {
            Schedulable schedulable = model.members().get(i).schedulable;
            double[] kept = before.get(i);
            double[] anew = after.get(i);
            for (int v = 0; v < kept.length; v++) {
                if (kept[v] != anew[v]) {
                    assertThat(kept[v])
                            .as(
                                    "value %s of %s, kept %s, anew %s",
                                    v, schedulable, Arrays.toString(kept), Arrays.toString(anew))
                            .isCloseTo(anew[v], within(ROUNDING * Math.max(1, Math.abs(anew[v]))));
                }
            }
        }
    }

    private static List<double[]> numbers(EngineModel model) {
        List<double[]> all = new ArrayList<>();
        for (EngineModel.Member member : model.members()) {
            Schedulable schedulable = member.schedulable;
            double[] numbers = new double[3 + 3 * EngineModel.RESOURCES];
            int v = 0;
            numbers[v++] = schedulable.normalizedShare;
            numbers[v++] = (double) schedulable.tier;
            numbers[v++] = schedulable.key;
            for (int j = 0; j < EngineModel.RESOURCES; j++) {
                numbers[v++] = schedulable.countedUsage[j];
                numbers[v++] = schedulable.entitlement[j];
                numbers[v++] = schedulable.price[j];
            }
            all.add(numbers);
        }
        return all;
    }

    /** Everything that a schedulable knows, to the bit. */
    static List<String> bits(EngineModel model) {
        List<String> all = new ArrayList<>();
        for (EngineModel.Member member : model.members()) {
            Schedulable schedulable = member.schedulable;
            StringBuilder text = new StringBuilder(schedulable.toString());
            for (double value : numbers(model).get(model.members().indexOf(member))) {
                text.append(' ').append(Double.doubleToRawLongBits(value));
            }
            for (int j = 0; j < EngineModel.RESOURCES; j++) {
                text.append(' ').append(Double.doubleToRawLongBits(schedulable.scaledSum[j]));
                text.append(' ').append(Double.doubleToRawLongBits(schedulable.fixedSum[j]));
                text.append(' ').append(Double.doubleToRawLongBits(schedulable.contribution[j]));
            }
            text.append(Arrays.toString(schedulable.usage))
                    .append(schedulable.running)
                    .append(schedulable.scales);
            all.add(text.toString());
        }
        all.add(String.valueOf(model.engine.isStale()));
        return all;
    }

    /** The plain normalized share of a schedulable: its weighted dominant share relative to its entitlement. */
    static double plain(Schedulable schedulable) {
        return DominantShare.weighted(schedulable.usage, schedulable.price);
    }
}
