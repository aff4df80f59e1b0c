// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import com.google.protobuf.ByteString;
import org.apache.mesos.v1.Protos.TaskStatus;

/**
 * A status update that the framework has not acknowledged.
 *
 * @param seq number of the agent's event; 0 if the bridge made the update
 */
public record PendingUpdate(ByteString uuid, long seq, TaskStatus status) {}
