// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.util.List;

/** Events of an executor's subscription, with encoded messages. One thread calls the methods, one after the other. */
public interface ExecutorListener {
    /** @param again whether this connection was subscribed before */
    void subscribed(byte[] executorInfo, byte[] frameworkInfo, byte[] agentInfo, boolean again);

    /** The subscription is lost; the connection subscribes again. */
    void disconnected();

    void launch(byte[] task);

    void launchGroup(List<byte[]> tasks);

    void kill(byte[] taskId);

    void message(byte[] data);

    /** The executor must end its tasks, because the framework wants it, or because the agent did not come back. */
    void shutdown();

    /** The agent refuses this executor. */
    void failed(String message);
}
