// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong in the scheduler, or in what others plug into it, does not end the ResourceManager. */
class ContainmentTest {
    @TempDir
    Path directory;

    @Test
    void anErrorInAnEventIsContainedAndCounted() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, RmFixture.ONE_LEAF)) {
            fixture.node("127.1.0.1", 4_000, 4);
            fixture.scheduler().handle(new NodeUpdateSchedulerEvent(null));
            fixture.scheduler().handle(new NodeUpdateSchedulerEvent(null));
            fixture.errorsExpected = 2;
            assertThat(fixture.counter("errors-contained")).isEqualTo(2);
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(4, 1_000, 1);
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(4);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void anOrderThatThrowsCostsNobodyAnything() {
        AtomicInteger reported = new AtomicInteger();
        ShareOrders orders = new ShareOrders().add(new Faulty()).containing((what, error) -> {
            assertThat(what).isEqualTo("the share order faulty");
            reported.incrementAndGet();
        });
        org.heddle.scheduler.engine.ShareEngine engine = new org.heddle.scheduler.engine.ShareEngine(
                1, orders.create("faulty", new SplittableRandom(1)), () -> true);
        engine.setCapacity(new long[] {100}, 1);
        var one = engine.addApplication(engine.root(), "one", new double[] {1}, 0);
        var two = engine.addApplication(engine.root(), "two", new double[] {1}, 0);
        engine.setAsk(one, new long[] {1}, 100);
        engine.setAsk(two, new long[] {1}, 100);
        int placed = engine.offer(
                new long[] {100},
                Integer.MAX_VALUE,
                0,
                (app, gate) -> engine.asks(app).get(0));
        assertThat(placed).isEqualTo(100);
        assertThat(one.usage(0)).as("shared as under drf").isEqualTo(50);
        assertThat(reported).hasPositiveValue();
    }

    @Test
    void aResourceManagerLivesOnUnderAnOrderThatThrows() throws Exception {
        String spec = "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\">"
                + "<order>faulty</order></queue><queue name=\"other\"/></queue></heddle-scheduler>";
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.errorsExpected = RmFixture.SOME_ERRORS;
            fixture.node("127.1.0.1", 4_000, 4);
            RmFixture.App alice = fixture.unmanaged("alice", "default");
            RmFixture.App bob = fixture.unmanaged("bob", "default");
            alice.ask(4, 1_000, 1);
            bob.ask(4, 1_000, 1);
            fixture.heartbeat();
            assertThat(alice.collect().containers).hasSize(2);
            assertThat(bob.collect().containers).hasSize(2);
            assertThat(fixture.counter("errors-contained")).isPositive();
            alice.end();
            bob.end();
            fixture.assertNothingLeft();
        }
    }

    /** Throws, and gives what is no number, in turns. Offered to all tests by a line in META-INF/services. */
    public static final class Faulty implements ShareOrders.Provider {
        @Override
        public String name() {
            return "faulty";
        }

        @Override
        public ShareOrder create(java.util.random.RandomGenerator random) {
            return new ShareOrder() {
                private int calls;

                @Override
                public String name() {
                    return "faulty";
                }

                @Override
                public double key(SchedulableView child) {
                    if (++calls % 2 == 0) {
                        return Double.NaN;
                    }
                    throw new NoSuchMethodError("compiled against another version");
                }
            };
        }
    }
}
