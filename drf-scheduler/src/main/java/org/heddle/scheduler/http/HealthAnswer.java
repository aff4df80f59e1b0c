// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamException;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerHealth;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerHealth.DetailedInformation;
import org.jspecify.annotations.Nullable;

/** {@code health} of CapacityScheduler's answer ({@code CapacitySchedulerHealthInfo}). */
final class HealthAnswer {
    private static final String NOTHING = "N/A";

    private HealthAnswer() {}

    static void write(SchedulerHealth health, AnswerSink sink) throws IOException, XMLStreamException {
        sink.open("health");
        sink.value("lastrun", health.getLastSchedulerRunTime());
        sink.openList("operationsInfo");
        last(sink, "last-allocation", health.getLastAllocationDetails());
        last(sink, "last-release", health.getLastReleaseDetails());
        last(sink, "last-preemption", health.getLastPreemptionDetails());
        last(sink, "last-reservation", health.getLastReservationDetails());
        sink.closeList();
        sink.openList("lastRunDetails");
        run(sink, "releases", health.getReleaseCount(), health.getResourcesReleased());
        run(sink, "allocations", health.getAllocationCount(), health.getResourcesAllocated());
        run(sink, "reservations", health.getReservationCount(), health.getResourcesReserved());
        sink.closeList();
        sink.close();
    }

    private static void last(AnswerSink sink, String operation, DetailedInformation details)
            throws IOException, XMLStreamException {
        sink.openItem("operationsInfo");
        sink.value("operation", operation);
        sink.value("nodeId", text(details.getNodeId()));
        sink.value("containerId", text(details.getContainerId()));
        sink.value("queue", text(details.getQueue()));
        sink.close();
    }

    private static String text(@Nullable Object value) {
        return value == null ? NOTHING : value.toString();
    }

    private static void run(AnswerSink sink, String operation, long count, Resource amount)
            throws IOException, XMLStreamException {
        Map<String, Long> amounts = new TreeMap<>();
        for (ResourceInformation resource : amount.getResources()) {
            amounts.put(resource.getName(), resource.getValue());
        }
        sink.openItem("lastRunDetails");
        sink.value("operation", operation);
        sink.value("count", count);
        sink.resources("resources", amounts);
        sink.close();
    }
}
