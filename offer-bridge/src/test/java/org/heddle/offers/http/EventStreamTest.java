// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.wire.Encoding;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final EventStream<Event> stream =
            new EventStream<>(channel.pipeline().firstContext(), Encoding.JSON, "stream");

    @BeforeEach
    void stopTheClock() {
        channel.freezeTime();
    }

    private void pass(long seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void whoDoesNotReadForHalfAMinuteIsDisconnected() {
        stream.setCongested(true);
        pass(29);
        assertThat(channel.isOpen()).isTrue();
        stream.setCongested(true);
        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void whoReadsInTimeStays() {
        stream.setCongested(true);
        pass(29);
        stream.setCongested(false);
        pass(60);
        assertThat(channel.isOpen()).isTrue();
    }
}
