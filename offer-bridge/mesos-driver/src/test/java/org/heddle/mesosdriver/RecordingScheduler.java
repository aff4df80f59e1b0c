// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.Protos.ExecutorID;
import org.apache.mesos.Protos.FrameworkID;
import org.apache.mesos.Protos.MasterInfo;
import org.apache.mesos.Protos.Offer;
import org.apache.mesos.Protos.OfferID;
import org.apache.mesos.Protos.SlaveID;
import org.apache.mesos.Protos.TaskStatus;
import org.apache.mesos.Scheduler;
import org.apache.mesos.SchedulerDriver;

/** Notes its call-backs as text. */
class RecordingScheduler implements Scheduler {
    final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    String next() throws InterruptedException {
        String next = heard.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no call-back came");
        }
        return next;
    }

    @Override
    public void registered(SchedulerDriver driver, FrameworkID id, MasterInfo master) {
        heard.add("registered " + id.getValue() + " " + master.getId());
    }

    @Override
    public void reregistered(SchedulerDriver driver, MasterInfo master) {
        heard.add("reregistered " + master.getId());
    }

    @Override
    public void resourceOffers(SchedulerDriver driver, List<Offer> offers) {
        offers.forEach(offer -> heard.add("offer " + offer.getId().getValue()));
    }

    @Override
    public void offerRescinded(SchedulerDriver driver, OfferID offerId) {
        heard.add("rescinded " + offerId.getValue());
    }

    @Override
    public void statusUpdate(SchedulerDriver driver, TaskStatus status) {
        heard.add(status.getTaskId().getValue() + " " + status.getState() + " " + status.getReason());
    }

    @Override
    public void frameworkMessage(SchedulerDriver driver, ExecutorID executorId, SlaveID slaveId, byte[] data) {
        heard.add("message of " + executorId.getValue() + " on " + slaveId.getValue() + ": " + data.length);
    }

    @Override
    public void disconnected(SchedulerDriver driver) {
        heard.add("disconnected");
    }

    @Override
    public void slaveLost(SchedulerDriver driver, SlaveID slaveId) {
        heard.add("agent lost " + slaveId.getValue());
    }

    @Override
    public void executorLost(SchedulerDriver driver, ExecutorID executorId, SlaveID slaveId, int status) {
        heard.add("executor lost " + executorId.getValue() + " on " + slaveId.getValue() + " " + status);
    }

    @Override
    public void error(SchedulerDriver driver, String message) {
        heard.add("error " + message);
    }
}
