// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.Locale;
import org.apache.mesos.v1.Protos.Offer;

/** The part of an offer that decisions need. */
final class OfferView {
    final String id;
    final String agent;
    final String host;
    final double cpus;
    final double memMb;

    OfferView(String id, String agent, String host, double cpus, double memMb) {
        this.id = id;
        this.agent = agent;
        this.host = host;
        this.cpus = cpus;
        this.memMb = memMb;
    }

    static OfferView of(Offer offer) {
        return new OfferView(
                offer.getId().getValue(),
                offer.getAgentId().getValue(),
                offer.getHostname(),
                MesosMessages.amount(offer.getResourcesList(), "cpus"),
                MesosMessages.amount(offer.getResourcesList(), "mem"));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "offer of %.1f cores and %.0f MiB on %s", cpus, memMb, host);
    }
}
