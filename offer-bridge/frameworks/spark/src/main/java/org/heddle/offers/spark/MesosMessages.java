// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.List;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.Value;

/** Shorthands for Mesos' messages. */
final class MesosMessages {
    private MesosMessages() {}

    static List<Resource> resources(ExecutorSize size) {
        return List.of(scalar("cpus", size.cores()), scalar("mem", (double) size.memMb()));
    }

    private static Resource scalar(String name, double value) {
        return Resource.newBuilder()
                .setName(name)
                .setType(Value.Type.SCALAR)
                .setScalar(Value.Scalar.newBuilder().setValue(value))
                .build();
    }

    static double amount(List<Resource> resources, String name) {
        return resources.stream()
                .filter(resource -> resource.getName().equals(name))
                .mapToDouble(resource -> resource.getScalar().getValue())
                .sum();
    }

    static Filters refuse(double seconds) {
        return Filters.newBuilder().setRefuseSeconds(seconds).build();
    }

    static TaskID task(String id) {
        return TaskID.newBuilder().setValue(id).build();
    }

    static AgentID agent(String id) {
        return AgentID.newBuilder().setValue(id).build();
    }

    static OfferID offer(String id) {
        return OfferID.newBuilder().setValue(id).build();
    }
}
