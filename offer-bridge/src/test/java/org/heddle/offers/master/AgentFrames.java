// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.Arrays;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.cluster.Cluster;

/** Frames of emulated agents. */
final class AgentFrames {
    /** The length of a frame and its kind. */
    private static final int HEAD = 5;

    private AgentFrames() {}

    /** The fields of a HELLO, as the master gets them. */
    static byte[] hello(Cluster.AgentSpec spec) {
        return hello(spec, AgentProtocol.VERSION);
    }

    static byte[] hello(Cluster.AgentSpec spec, int version) {
        byte[] frame = FrameCodec.frame(AgentProtocol.HELLO, out -> {
            out.writeInt(version);
            out.writeUTF(spec.containerId());
            out.writeUTF(spec.secret());
            out.writeLong(1);
            out.writeUTF("/sandboxes");
            FrameCodec.writeText(out, "");
            out.writeInt(0);
        });
        return Arrays.copyOfRange(frame, HEAD, frame.length);
    }
}
