// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.BiConsumer;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfigurationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebServices;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.SchedulerTypeInfo;
import org.apache.hadoop.yarn.webapp.NotFoundException;
import org.apache.hadoop.yarn.webapp.dao.ConfInfo;
import org.apache.hadoop.yarn.webapp.dao.SchedConfUpdateInfo;

/**
 * The ResourceManager's web services with an answer at {@code /ws/v1/cluster/scheduler}, where they know only YARN's
 * own schedulers. Set by {@link WebHooks} as {@code yarn.webapp.custom.webservice.class}.
 *
 * <p>The two lines of Hadoop use different injectors, so there are two subclasses, which have only a constructor:
 * {@link OnJersey1} for Guice, {@link OnJersey2} for HK2. No JAXB provider writes the answer, because the two lines'
 * providers write our classes differently.
 */
public abstract class HeddleWebServices extends RMWebServices {
    private static final String JSON = MediaType.APPLICATION_JSON + "; charset=utf-8";
    private static final String XML = MediaType.APPLICATION_XML + "; charset=utf-8";

    private final ResourceManager resourceManager;

    /** As the web services of the ResourceManager are made. */
    protected HeddleWebServices(ResourceManager rm, Configuration conf) {
        super(rm, conf);
        this.resourceManager = rm;
    }

    /** Removes the ResourceManager's own answer from the path, because only one method may have it. */
    @GET
    @Path("/scheduler/stock")
    @Produces({JSON, XML})
    @Override
    public SchedulerTypeInfo getSchedulerInfo() {
        return super.getSchedulerInfo();
    }

    /** Queues as JSON, under the names that FairScheduler's answer has for the same things. */
    @GET
    @Path("/scheduler")
    @Produces(JSON)
    public Response schedulerAsJson() {
        return answer(JSON, ClusterSchedulerResponse::json);
    }

    /** The same as XML. */
    @GET
    @Path("/scheduler")
    @Produces(XML)
    public Response schedulerAsXml() {
        return answer(XML, ClusterSchedulerResponse::xml);
    }

    /**
     * Validates a change of the configuration. The ResourceManager's own answer would treat every scheduler with a
     * mutable configuration as CapacityScheduler.
     */
    @POST
    @Path("/scheduler-conf/validate")
    @Produces({JSON, XML})
    @Consumes({MediaType.APPLICATION_JSON, MediaType.APPLICATION_XML})
    @Override
    public synchronized Response validateAndGetSchedulerConfiguration(
            SchedConfUpdateInfo change, @Context HttpServletRequest request) throws AuthorizationException {
        getSchedulerConfiguration(request); // has the ResourceManager check that an administrator asks
        if (!(resourceManager.getResourceScheduler() instanceof MutableConfScheduler scheduler)
                || !scheduler.isConfigurationMutable()) {
            return Response.status(Response.Status.BAD_REQUEST)
                    .entity("The configuration cannot be changed over the network: switch that on in yarn-site.xml")
                    .build();
        }
        MutableConfigurationProvider provider = scheduler.getMutableConfProvider();
        try {
            return Response.ok(new ConfInfo(provider.applyChanges(provider.getConfiguration(), change)))
                    .build();
        } catch (IOException e) {
            return Response.status(Response.Status.BAD_REQUEST)
                    .entity(e.getMessage())
                    .build();
        }
    }

    private Response answer(String type, BiConsumer<SnapshotSource, ByteArrayOutputStream> writer) {
        if (!(resourceManager.getResourceScheduler() instanceof SnapshotSource source)) {
            throw new NotFoundException("this ResourceManager has no Heddle scheduler");
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        writer.accept(source, body);
        return Response.ok(body.toByteArray(), type).build();
    }

    /** For Hadoop 3.4: made by Guice. One for all, as Hadoop's own, so that changes of the configuration queue up. */
    @com.google.inject.Singleton
    @Path("/ws/v1/cluster")
    public static final class OnJersey1 extends HeddleWebServices {
        @com.google.inject.Inject
        public OnJersey1(ResourceManager rm, Configuration conf) {
            super(rm, conf);
        }
    }

    /** For Hadoop 3.5: made by HK2. */
    @javax.inject.Singleton
    @Path("/ws/v1/cluster")
    public static final class OnJersey2 extends HeddleWebServices {
        @javax.inject.Inject
        public OnJersey2(@javax.inject.Named("rm") ResourceManager rm, @javax.inject.Named("conf") Configuration conf) {
            super(rm, conf);
        }
    }
}
