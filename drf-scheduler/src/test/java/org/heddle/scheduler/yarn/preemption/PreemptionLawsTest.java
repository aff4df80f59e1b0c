// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cluster that is always full: whoever comes has to be made room for. Users of queues of different weights, with
 * containers of different sizes, come one after another.
 */
@Tag("newer-line")
class PreemptionLawsTest {
    private static final int[][] SIZES = {{1_000, 1}, {2_000, 1}, {500, 2}, {4_000, 1}};
    private static final int SECONDS_EACH = 120;
    /** By then all is preempted that is preempted for one who comes. */
    private static final int SECONDS_OF_PREEMPTION = 100;

    private static final double CONTAINER = 4.0 / 48; // the largest, as a part of the cluster

    @TempDir
    Path directory;

    @Test
    void itEndsAndTakesNoMoreThanWasMissing() throws Exception {
        endsAndTakesNoMoreThanWasMissing(1);
    }

    @ParameterizedTest
    @Tag("long-3")
    @ValueSource(longs = {2, 3})
    void endsAndTakesNoMoreThanWasMissing(long seed) throws Exception {
        Random random = new Random(seed);
        String queues = "<queue name=\"a\"><weight>2</weight></queue><queue name=\"b\"/>"
                + "<queue name=\"c\"><guaranteed-resources><resource name=\"memory-mb\">6000</resource>"
                + "</guaranteed-resources></queue>";
        try (RmFixture fixture = new RmFixture(
                directory,
                "<heddle-scheduler version=\"1\"><scheduling-delays><node-locality>0s</node-locality><rack-locality>0s"
                        + "</rack-locality></scheduling-delays><preemption><mode>on</mode><grace-period>5s</grace-period><max-per-second>5%"
                        + "</max-per-second></preemption><queue name=\"root\"><fair-share-preemption-timeout>3s</fair-share-preemption-timeout>"
                        + "<guarantee-preemption-timeout>1s</guarantee-preemption-timeout>" + queues
                        + "</queue></heddle-scheduler>",
                "yarn.scheduler.heddle.update-interval-ms",
                "0")) {
            for (int i = 1; i <= 6; i++) {
                fixture.node("127.1.0." + i, 8_000, 8);
            }
            Map<String, RmFixture.App> apps = new LinkedHashMap<>();
            for (String who : List.of("ann a", "bob b", "cid c", "dan c", "eve a")) {
                int[] size = SIZES[random.nextInt(SIZES.length)];
                RmFixture.App app = fixture.unmanaged(who.substring(0, 3), who.substring(4));
                apps.put(who, app);
                app.ask(1_000, size[0], size[1]);
                long taken = fixture.counter("preemption-containers-announced");
                long lastTaken = 0;
                for (int second = 0; second < SECONDS_EACH; second++) {
                    long earlier = fixture.counter("preemption-containers-announced");
                    fixture.second(apps.values().toArray(new RmFixture.App[0]));
                    long now = fixture.counter("preemption-containers-announced");
                    lastTaken = now > earlier ? second : lastTaken;
                    // one container may exceed the bound
                    assertThat((now - earlier) * (500.0 / 48_000)).isLessThanOrEqualTo(0.05 + CONTAINER);
                    ClusterInvariants.balance(fixture.shell());
                }
                taken = fixture.counter("preemption-containers-announced") - taken;
                assertThat(lastTaken)
                        .as("%s containers were revoked for %s, the last after so many seconds", taken, who)
                        .isLessThan(SECONDS_OF_PREEMPTION);
                fixture.shell().underLock(() -> nobodyIsLeftBehind(fixture));
            }
            apps.values().forEach(app -> assertThat(app.containers).isNotEmpty());
        }
    }

    /** Nobody is left below its share whom one container of a richer sibling, not smaller than its own, would help. */
    private static void nobodyIsLeftBehind(RmFixture fixture) {
        List<Schedulable> siblings = new ArrayList<>();
        for (HeddleQueue queue : fixture.shell().queues()) {
            siblings.addAll(queue.users().values());
        }
        for (Schedulable poor : siblings) {
            for (Schedulable rich : siblings) {
                Schedulable[] sides = sides(poor, rich);
                if (poor == rich || sides[0].normalizedShare() >= 0.9 || !fits(need(poor), need(rich))) {
                    continue;
                }
                Trial trial = fixture.shell().engine().trial();
                trial.hold(poor.children().get(0), need(poor));
                trial.release(rich.children().get(0), need(rich));
                double least = Math.min(1, sides[0].normalizedShare());
                boolean mayLose = rich.normalizedShare() >= least
                        && sides[1].normalizedShare() >= least
                        && sides[1].guaranteeHeld() >= 1;
                trial.revert();
                assertThat(mayLose)
                        .as("%s could lose a container to %s", rich, poor)
                        .isFalse();
            }
        }
    }

    /** The two children of the nearest schedulable above both, on the way to each. */
    private static Schedulable[] sides(Schedulable a, Schedulable b) {
        return a.parent() == b.parent() ? new Schedulable[] {a, b} : new Schedulable[] {a.parent(), b.parent()};
    }

    private static long[] need(Schedulable user) {
        Schedulable application = user.children().get(0);
        long[] usage = application.usage();
        long containers = Math.max(1, application.running());
        return new long[] {usage[0] / containers, usage[1] / containers};
    }

    private static boolean fits(long[] need, long[] room) {
        return need[0] <= room[0] && need[1] <= room[1];
    }
}
